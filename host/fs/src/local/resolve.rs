//! Which file a path means.
//!
//! One system call answers for a path without links: the kernel is asked to open it and
//! to follow none. Where it meets one, or anything else that is unusual, the path is
//! walked by hand ([`walk`]), which knows the exact reason of each refusal. Both give the
//! same answer; a test compares them.

mod spelling;
mod walk;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;

use crate::cancel::Cancel;
use crate::error::Error;
use crate::name;
use crate::types::Target;
use crate::wording::Verb;

pub(super) use spelling::Spelling;

/// The longest name, in bytes, of Linux's own file systems.
const LONGEST_NAME: usize = 255;

/// Resolves a path to its canonical key, and to a display path that leads to the same.
pub(crate) fn resolve(path: &str, base: &str, cancel: &Cancel) -> Result<Target, Error> {
    cancel.check(Verb::Resolve)?;
    let spelling = Spelling::new(Verb::Resolve, path, base)?;
    let key = name::to_text(&canonical(&spelling, cancel)?);
    let display = displayed(&spelling, &key, cancel);
    Ok(Target { key, display })
}

/// The canonical bytes of a spelling; the part that does not exist is kept as spelled.
fn canonical(spelling: &Spelling, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    match without_links(spelling) {
        Some(canonical) => Ok(canonical),
        None => walk::walk(spelling, cancel),
    }
}

/// The answer, if the path has no links and nothing about it is unusual.
fn without_links(spelling: &Spelling) -> Option<Vec<u8>> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    match openat2(
        CWD,
        spelling.bytes(),
        flags,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS,
    ) {
        Ok(_) => Some(spelling.clean()),
        // The kernel met no link before the name that is missing, so what follows is
        // missing too, as long as it is made of plain names.
        Err(Errno::NOENT) if spelling.is_plain() => Some(spelling.clean()),
        Err(_) => None,
    }
}

/// The path as spelled, with `..` removed where that leads to the same file; a step up
/// out of a linked directory does not, and then the canonical path is shown.
fn displayed(spelling: &Spelling, key: &str, cancel: &Cancel) -> String {
    let shown = spelling.shown();
    if shown == key || !spelling.steps_up() {
        return shown;
    }
    let same = Spelling::new(Verb::Resolve, &shown, "/")
        .and_then(|shown| canonical(&shown, cancel))
        .is_ok_and(|other| name::to_text(&other) == key);
    if same { shown } else { key.to_owned() }
}

#[cfg(test)]
mod tests;
