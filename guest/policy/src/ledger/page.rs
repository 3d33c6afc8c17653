//! One page of a snapshot as text: the format, written and read.
//!
//! The first line is `dsh-fs-ledger`, the format's number, the seed, the page and the count
//! of lines that follow; the rest are one target a line, oldest observation first: 32
//! hexadecimal digits of the keyed hash, then `-` for absent or `=` and the version, in
//! which `\n` and `\\` stand for a line feed and a backslash. Every line ends in a line feed.

use alloc::{borrow::Cow, string::String};

use super::{Seed, entry::KeyHash};
use crate::Prior;

/// The largest page in bytes. A single version longer than this makes a page of its own.
pub const PAGE_BYTES: usize = 64 * 1024;

const NAME: &str = "dsh-fs-ledger ";
const FORMAT: &str = "1 ";
/// Digits of a hash, and of a seed.
const HASH_DIGITS: usize = 32;
/// Digits of a page number, and of a count.
const COUNT_DIGITS: usize = 8;
/// The bytes of the first line.
pub(super) const HEADER_BYTES: usize =
    NAME.len() + FORMAT.len() + HASH_DIGITS + 1 + COUNT_DIGITS + 1 + COUNT_DIGITS + 1;

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
    let version = match prior {
        Prior::Present(version) => version,
        Prior::Unseen | Prior::Absent => "",
    };
    let escapes = version.bytes().filter(|b| matches!(b, b'\n' | b'\\'));
    HASH_DIGITS + 1 + version.len() + escapes.count() + 1
}

/// Appends the first line.
pub(super) fn write_header(text: &mut String, seed: Seed, page: u32, count: u32) {
    text.push_str(NAME);
    text.push_str(FORMAT);
    write_pair(text, seed.high, seed.low);
    text.push(' ');
    write_hex(text, page.into(), COUNT_DIGITS);
    text.push(' ');
    write_hex(text, count.into(), COUNT_DIGITS);
    text.push('\n');
}

/// Appends one target's line.
pub(super) fn write_line(text: &mut String, hash: KeyHash, prior: Prior<'_>) {
    write_pair(text, hash.high, hash.low);
    match prior {
        Prior::Unseen | Prior::Absent => text.push('-'),
        Prior::Present(version) => {
            text.push('=');
            write_escaped(text, version);
        }
    }
    text.push('\n');
}

fn write_pair(text: &mut String, high: u64, low: u64) {
    write_hex(text, high, HASH_DIGITS / 2);
    write_hex(text, low, HASH_DIGITS / 2);
}

fn write_hex(text: &mut String, value: u64, digits: usize) {
    for position in (0..digits).rev() {
        let digit = (value >> (4 * position) & 15) as u8;
        let letter = if digit < 10 { b'0' } else { b'a' - 10 };
        text.push((letter + digit) as char);
    }
}

fn write_escaped(text: &mut String, mut rest: &str) {
    while let Some(at) = rest.bytes().position(|b| matches!(b, b'\n' | b'\\')) {
        let (plain, special) = rest.split_at(at);
        text.push_str(plain);
        text.push_str(if special.starts_with('\n') {
            "\\n"
        } else {
            "\\\\"
        });
        rest = &special[1..];
    }
    text.push_str(rest);
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
    let rest = rest.strip_prefix(FORMAT).ok_or(PageRefusal::OtherFormat)?;
    let (header, lines) = rest.split_once('\n').ok_or(PageRefusal::BrokenHeader)?;
    let (seed, count) = read_header(header).ok_or(PageRefusal::BrokenHeader)?;
    if !lines.is_empty() && !lines.ends_with('\n') {
        return Err(PageRefusal::BrokenLine);
    }
    let mut found = 0;
    for line in lines.split_terminator('\n') {
        read_line(line).ok_or(PageRefusal::BrokenLine)?;
        found += 1;
    }
    if found != count {
        return Err(PageRefusal::WrongCount);
    }
    Ok(Page { seed, lines })
}

impl<'a> Page<'a> {
    /// The targets of the page, oldest observation first; `None` is absent.
    pub(super) fn targets(&self) -> impl Iterator<Item = (KeyHash, Option<Cow<'a, str>>)> {
        self.lines.split_terminator('\n').filter_map(read_line)
    }
}

fn read_header(line: &str) -> Option<(Seed, u64)> {
    let mut fields = line.split(' ');
    let (high, low) = read_pair(fields.next()?)?;
    read_hex(fields.next()?, COUNT_DIGITS)?;
    let count = read_hex(fields.next()?, COUNT_DIGITS)?;
    match fields.next() {
        None => Some((Seed { low, high }, count)),
        Some(_) => None,
    }
}

fn read_line(line: &str) -> Option<(KeyHash, Option<Cow<'_, str>>)> {
    let (hash, state) = line.split_at_checked(HASH_DIGITS)?;
    let (high, low) = read_pair(hash)?;
    let version = match state.strip_prefix('=') {
        Some(version) => Some(read_escaped(version)?),
        None if state == "-" => None,
        None => return None,
    };
    Some((KeyHash { low, high }, version))
}

fn read_pair(text: &str) -> Option<(u64, u64)> {
    let (high, low) = text.split_at_checked(HASH_DIGITS / 2)?;
    Some((
        read_hex(high, HASH_DIGITS / 2)?,
        read_hex(low, HASH_DIGITS / 2)?,
    ))
}

/// Reads exactly so many digits, in the one spelling in which they are written.
fn read_hex(text: &str, digits: usize) -> Option<u64> {
    if text.len() != digits {
        return None;
    }
    let mut value = 0;
    for byte in text.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        value = value << 4 | u64::from(digit);
    }
    Some(value)
}

fn read_escaped(text: &str) -> Option<Cow<'_, str>> {
    let Some((plain, mut rest)) = text.split_once('\\') else {
        return Some(Cow::Borrowed(text));
    };
    let mut version = String::from(plain);
    loop {
        let special = rest.chars().next()?;
        version.push(match special {
            'n' => '\n',
            '\\' => '\\',
            _ => return None,
        });
        let Some((plain, after)) = rest[1..].split_once('\\') else {
            version.push_str(&rest[1..]);
            return Some(Cow::Owned(version));
        };
        version.push_str(plain);
        rest = after;
    }
}
