//! Sentences about publishing a file: why a mutation was refused at the last step, and
//! why its grade is no better.

use rustix::io::Errno;

use super::{Verb, cannot, detailed, errno as system, stale};
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

/// No way of putting a file back here is sure not to replace another.
pub(crate) fn cannot_remove_safely(verb: Verb, display: &str) -> Error {
    let reason = "the file system has no way to put a file back without the risk of replacing one";
    cannot(Code::IoError, verb, display, reason)
}

/// Writing in place failed half way, and the old content could be put back or not.
pub(crate) fn failed_in_place(verb: Verb, display: &str, errno: Errno, restored: bool) -> Error {
    let cause = system::cause(errno);
    let now = match restored {
        true => "the old content was put back",
        false => "the old content could not be put back, and the file may hold parts of both",
    };
    let reason = format!("writing in place failed: {cause}; {now}");
    cannot(Code::IoError, verb, display, &reason)
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
    /// The file system is served by a program or another machine.
    pub(crate) const OTHERS_HAVE_IT: &str =
        "the file system is served from elsewhere, where other programs are not held off";
    /// The file system or the kernel has none.
    pub(crate) const UNSUPPORTED: &str = "the file system cannot hold off other programs";
}

/// The file system cannot exchange two names.
pub(crate) const NO_EXCHANGE: &str = "the file system cannot exchange two names";

/// The directory could not be synced.
pub(crate) const NOT_SYNCED: &str =
    "the directory could not be synced, so a power failure may bring the old state back";

/// The file was written in place, while nobody else could open it.
pub(crate) const IN_PLACE: &str = "written in place: every other name of the file has the change \
     too, and a crash half way would have left neither the old content nor the new";

/// The file was written in place, and others could open it meanwhile.
pub(crate) const IN_PLACE_UNHELD: &str = "written in place, and other programs could not be held \
     off: every other name of the file has the change too, and a crash half way would have left \
     neither the old content nor the new";
