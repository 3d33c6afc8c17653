//! One page of a snapshot as text: the format, written and read.
//!
//! The first line is `dsh-fs-ledger`, the format's number, the seed, the page and the count
//! of targets that follow; the rest are one target a line, oldest observation first: 32
//! hexadecimal digits of the keyed hash, then `-` for absent, or `=`, eight digits that say
//! how many bytes the version has, and the version. Every line ends in a line feed; since
//! lengths are written, nothing in a version needs an escape.

use alloc::string::String;

use super::{Seed, entry::KeyHash};
use crate::{
    Prior,
    spelling::{push, push_hex},
};

/// The largest page in bytes: small enough for the last one to be made and saved with every
/// call. A single version longer than this makes a page of its own.
pub const PAGE_BYTES: usize = 4 * 1024;

const NAME: &str = "dsh-fs-ledger ";
const FORMAT: &str = "1 ";
/// Digits of half a hash, and of half a seed.
const HALF_DIGITS: usize = 16;
/// Digits of a page number, a count, and a length.
const COUNT_DIGITS: usize = 8;
/// The bytes of the first line.
pub(super) const HEADER_BYTES: usize =
    NAME.len() + FORMAT.len() + 2 * HALF_DIGITS + 1 + COUNT_DIGITS + 1 + COUNT_DIGITS + 1;

/// Why a page was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRefusal {
    /// It does not begin as a page does.
    NotAPage,
    /// Its format is not the one that this ledger writes.
    OtherFormat,
    /// Its first line is damaged.
    BrokenHeader,
    /// A line after the first is damaged.
    BrokenLine,
    /// It has more or fewer lines than the first line says.
    WrongCount,
    /// It was made under another seed, and the ledger is not empty.
    OtherSeed,
}

/// The bytes of one target's line.
pub(super) fn line_bytes(prior: Prior<'_>) -> usize {
    let state = match prior {
        Prior::Present(version) => COUNT_DIGITS + version.len(),
        Prior::Unseen | Prior::Absent => 0,
    };
    2 * HALF_DIGITS + 1 + state + 1
}

/// Appends the first line.
pub(super) fn write_header(text: &mut String, seed: Seed, page: u32, count: u32) {
    push(text, NAME);
    push(text, FORMAT);
    push_hex(text, seed.high, HALF_DIGITS);
    push_hex(text, seed.low, HALF_DIGITS);
    for number in [page, count] {
        push(text, " ");
        push_hex(text, number.into(), COUNT_DIGITS);
    }
    push(text, "\n");
}

/// Appends one target's line.
pub(super) fn write_line(text: &mut String, hash: KeyHash, prior: Prior<'_>) {
    push_hex(text, hash.high, HALF_DIGITS);
    push_hex(text, hash.low, HALF_DIGITS);
    match prior {
        Prior::Present(version) => {
            push(text, "=");
            push_hex(text, version.len() as u64, COUNT_DIGITS);
            push(text, version);
        }
        Prior::Unseen | Prior::Absent => push(text, "-"),
    }
    push(text, "\n");
}

/// A page whose every line was checked.
pub(super) struct Page<'a> {
    /// The seed of the hashes.
    pub(super) seed: Seed,
    lines: &'a str,
}

/// Checks a page as a whole.
pub(super) fn read(text: &str) -> Result<Page<'_>, PageRefusal> {
    let rest = text.strip_prefix(NAME).ok_or(PageRefusal::NotAPage)?;
    let mut rest = rest.strip_prefix(FORMAT).ok_or(PageRefusal::OtherFormat)?;
    let (seed, count) = read_header(&mut rest).ok_or(PageRefusal::BrokenHeader)?;
    let page = Page { seed, lines: rest };
    let mut found = 0;
    page.each_target(&mut |_, _| found += 1)
        .ok_or(PageRefusal::BrokenLine)?;
    if found != count {
        return Err(PageRefusal::WrongCount);
    }
    Ok(page)
}

impl Page<'_> {
    /// Hands out the targets of the page, oldest observation first; nothing when it comes
    /// to a line that is damaged.
    pub(super) fn each_target(&self, take: &mut dyn FnMut(KeyHash, Prior<'_>)) -> Option<()> {
        let mut rest = self.lines;
        while !rest.is_empty() {
            let hash = KeyHash {
                high: read_hex(&mut rest, HALF_DIGITS)?,
                low: read_hex(&mut rest, HALF_DIGITS)?,
            };
            let prior = match next(&mut rest, 1)? {
                "=" => {
                    let length = read_hex(&mut rest, COUNT_DIGITS)? as usize;
                    Prior::Present(next(&mut rest, length)?)
                }
                "-" => Prior::Absent,
                _ => return None,
            };
            expect(&mut rest, "\n")?;
            take(hash, prior);
        }
        Some(())
    }
}

fn read_header(rest: &mut &str) -> Option<(Seed, u64)> {
    let seed = Seed {
        high: read_hex(rest, HALF_DIGITS)?,
        low: read_hex(rest, HALF_DIGITS)?,
    };
    expect(rest, " ")?;
    read_hex(rest, COUNT_DIGITS)?;
    expect(rest, " ")?;
    let count = read_hex(rest, COUNT_DIGITS)?;
    expect(rest, "\n")?;
    Some((seed, count))
}

/// Reads exactly so many digits, in the one spelling in which they are written.
fn read_hex(rest: &mut &str, digits: usize) -> Option<u64> {
    let mut value = 0;
    for byte in next(rest, digits)?.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        value = value << 4 | u64::from(digit);
    }
    Some(value)
}

fn expect(rest: &mut &str, wanted: &str) -> Option<()> {
    (next(rest, wanted.len())? == wanted).then_some(())
}

/// Takes so many bytes off the text, unless it is shorter or they end within a character.
fn next<'a>(rest: &mut &'a str, bytes: usize) -> Option<&'a str> {
    let (first, others) = rest.split_at_checked(bytes)?;
    *rest = others;
    Some(first)
}
