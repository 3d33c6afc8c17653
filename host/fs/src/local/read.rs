//! Whole contents, bounded.

use std::os::fd::OwnedFd;

use dsh_fs_text::utf8::{self, BYTE_ORDER_MARK};
use rustix::buffer::spare_capacity;
use rustix::io::{Errno, read};

use super::open::{Opened, open_regular};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::types::{Target, TextContent};
use crate::version::VersionSecret;
use crate::wording::{self, Verb};

/// The most bytes that are read in one system call, and so between two looks at the flag.
const STEP: u64 = 1 << 20;

/// The least room, in bytes, that is offered at first.
const SMALLEST: u64 = 4096;

/// A whole text of at most `max_bytes`, without its byte order mark; the version is that
/// of every byte.
pub(super) fn read_text(
    secret: &VersionSecret,
    target: &Target,
    max_bytes: u64,
    cancel: &Cancel,
) -> Result<TextContent, Error> {
    let content = read_bytes(target, max_bytes, cancel)?;
    let version = secret.version_of(&content);
    let has_mark = utf8::check(&content)
        .map_err(|why| wording::not_text(Verb::Read, &target.display, why))?
        .0;
    let mut text = String::from_utf8(content).expect("the content was checked above");
    if has_mark {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(TextContent { version, text })
}

/// A whole content of at most `max_bytes`. One that grows while it is read may grow up
/// to the limit; one that shrinks gives what is left.
pub(super) fn read_bytes(
    target: &Target,
    max_bytes: u64,
    cancel: &Cancel,
) -> Result<Vec<u8>, Error> {
    cancel.check(Verb::Read)?;
    let Opened { file, size } = open_regular(target, cancel)?;
    if size > max_bytes {
        return Err(wording::too_large(&target.display, size, max_bytes));
    }
    cancel.expect(size);
    // One byte more than the size, so that the end of a file that did not change is
    // found without another allocation. A size is a claim: files of /proc say that they
    // are empty, and memory is not taken before it fills.
    let expected = usize::try_from(size.clamp(SMALLEST, STEP) + 1).expect("a step fits");
    let mut content = Vec::with_capacity(expected);
    while read_step(&file, &mut content, target, cancel)? {
        if u64::try_from(content.len()).expect("a length fits") > max_bytes {
            return Err(wording::grew_too_large(&target.display, max_bytes));
        }
    }
    Ok(content)
}

/// Reads once into the room that is left; `false` at the end of the file.
fn read_step(
    file: &OwnedFd,
    content: &mut Vec<u8>,
    target: &Target,
    cancel: &Cancel,
) -> Result<bool, Error> {
    if content.len() == content.capacity() {
        content.reserve(usize::try_from(STEP).expect("a step fits"));
    }
    loop {
        cancel.check(Verb::Read)?;
        match read(file, spare_capacity(content)) {
            Ok(count) => {
                cancel.advance(count as u64);
                return Ok(count > 0);
            }
            Err(Errno::INTR) => {}
            Err(errno) => {
                return Err(wording::from_errno(Verb::Read, &target.display, errno));
            }
        }
    }
}
