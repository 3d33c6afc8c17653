//! Sentences about publishing a file: why a mutation was refused at the last step, and
//! why its grade is no better.

use super::{Verb, cannot, detailed, stale};
use crate::error::{Code, Error};
use crate::name;

/// The file has more names than one, and a replacement would leave the others behind.
pub(crate) fn hard_linked(verb: Verb, display: &str, links: u64) -> Error {
    let reason = format!(
        "the file has {links} hard links, and replacing it would leave the other names with \
         the old content"
    );
    cannot(Code::PermissionDenied, verb, display, &reason)
}

/// A part of the file's metadata that this user cannot give to another file.
pub(crate) fn not_reproducible(verb: Verb, display: &str, what: &str) -> Error {
    let reason = format!(
        "the file would lose its {} by being replaced",
        name::shown(what)
    );
    cannot(Code::PermissionDenied, verb, display, &reason)
}

/// Another file system is mounted on the name, so that no other file can take it.
pub(crate) fn mounted_on(verb: Verb, display: &str) -> Error {
    let reason = "the file is a mount point and cannot be replaced (EBUSY)";
    cannot(Code::PermissionDenied, verb, display, reason)
}

/// The file was changed from outside at each of many attempts.
pub(crate) fn keeps_changing(verb: Verb, display: &str) -> Error {
    detailed(
        stale(verb, display),
        "the file kept changing while the change was being published",
    )
}

/// Lookups beneath the root raced with renames again and again.
pub(crate) fn restless(verb: Verb, display: &str) -> Error {
    let reason = "directories on the way kept being renamed; try again (EAGAIN)";
    cannot(Code::IoError, verb, display, reason)
}

/// Another program holds the file back (a lease) for longer than is waited for.
pub(crate) fn held_back(verb: Verb, display: &str) -> Error {
    let reason = "another program holds a lease on the file; try again (EAGAIN)";
    cannot(Code::IoError, verb, display, reason)
}

/// No way of making a file here is sure not to replace another.
pub(crate) fn cannot_create_safely(verb: Verb, display: &str) -> Error {
    let reason = "the file system has no way to create a file without the risk of replacing one";
    cannot(Code::IoError, verb, display, reason)
}

/// The old and the new text of an edit are the same, or would leave the same bytes.
pub(crate) fn nothing_to_edit(display: &str) -> Error {
    let shown = name::shown(display);
    Error {
        code: Code::EditNotFound,
        message: format!("old_string and new_string leave \"{shown}\" as it is"),
        path: Some(shown),
        detail: None,
    }
}

/// Why a lease could not be had.
pub(crate) mod lease {
    /// Somebody else has it open.
    pub(crate) const OPEN_ELSEWHERE: &str = "another program has the file open for writing";
    /// Leases are for the owner.
    pub(crate) const NOT_OWNER: &str = "only the owner of a file can hold off other programs";
    /// The file system or the kernel has none.
    pub(crate) const UNSUPPORTED: &str = "the file system cannot hold off other programs";
}

/// The file system cannot exchange two names.
pub(crate) const NO_EXCHANGE: &str = "the file system cannot exchange two names";

/// The directory could not be synced.
pub(crate) const NOT_SYNCED: &str =
    "the directory could not be synced, so a power failure may bring the old state back";
