//! Every sentence of this crate, and the code that goes with it.
//!
//! A path is always given as its display text; it is made safe to show here, so that no
//! caller can forget to.

use dsh_fs_text::utf8::NotText;
use rustix::io::Errno;

use crate::error::{Code, Error};
use crate::name;
use crate::types::Mode;

pub(crate) mod deny_read;
mod errno;
pub(crate) mod history;
mod mutation;
mod path;
pub(crate) mod publication;
pub(crate) mod transaction;

pub(crate) use mutation::*;
pub(crate) use path::*;

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Finding out which file a path means.
    Resolve,
    /// Asking for facts, links followed.
    Stat,
    /// Asking for facts, links not followed.
    Lstat,
    /// Reading content.
    Read,
    /// Listing a directory.
    List,
    /// Publishing a whole file.
    Write,
    /// Replacing text in a file.
    Edit,
    /// Removing a file.
    Remove,
}

impl Verb {
    /// The verb as messages have it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Stat => "stat",
            Self::Lstat => "lstat",
            Self::Read => "read",
            Self::List => "list",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Remove => "remove",
        }
    }
}

/// `cannot <verb> "<path>": <reason>`, the shape of most messages.
pub(crate) fn cannot(code: Code, verb: Verb, display: &str, reason: &str) -> Error {
    let shown = name::shown(display);
    Error {
        code,
        message: format!("cannot {} \"{shown}\": {reason}", verb.word()),
        path: Some(shown),
        detail: None,
    }
}

/// The same, with more than the ordinary reason of its code.
pub(crate) fn detailed(error: Error, detail: impl Into<String>) -> Error {
    Error {
        detail: Some(detail.into()),
        ..error
    }
}

/// The caller cancelled.
pub(crate) fn aborted(verb: Verb) -> Error {
    Error {
        code: Code::Aborted,
        message: format!("{} aborted", verb.word()),
        path: None,
        detail: None,
    }
}

/// Nothing is there.
pub(crate) fn not_found(verb: Verb, display: &str) -> Error {
    cannot(Code::NotFound, verb, display, "not found")
}

/// A directory, FIFO, socket or device.
pub(crate) fn not_regular(verb: Verb, display: &str) -> Error {
    cannot(Code::NotRegularFile, verb, display, "not a regular file")
}

/// A listing of something else.
pub(crate) fn not_directory(display: &str) -> Error {
    cannot(Code::NotDirectory, Verb::List, display, "not a directory")
}

/// The content is not text.
pub(crate) fn not_text(verb: Verb, display: &str, why: NotText) -> Error {
    cannot(Code::NotText, verb, display, why.reason())
}

/// The size was over the limit before anything was read. Both in bytes.
pub(crate) fn too_large(display: &str, size: u64, limit: u64) -> Error {
    let reason = format!("{size} bytes exceeds the {limit}-byte limit");
    cannot(Code::TooLarge, Verb::Read, display, &reason)
}

/// The file grew over the limit (in bytes) while it was read.
pub(crate) fn grew_too_large(display: &str, limit: u64) -> Error {
    let reason = format!("content exceeds the {limit}-byte limit");
    cannot(Code::TooLarge, Verb::Read, display, &reason)
}

/// The policy forbids it. The verb is `write` for every mutation.
pub(crate) fn denied(display: &str, mode: Mode) -> Error {
    let reason = format!("file access denied under {} mode", mode.name());
    cannot(Code::SandboxDenied, Verb::Write, display, &reason)
}

/// The trouble of a link in a listing that leads to nothing.
pub(crate) const DANGLING: &str = "the link leads to nothing";

/// The trouble of a child of a listing.
pub(crate) fn trouble(errno: Errno) -> String {
    errno::cause(errno)
}

/// The operating system failed: the code that fits, the cause in words.
pub(crate) fn from_errno(verb: Verb, display: &str, errno: Errno) -> Error {
    match errno {
        Errno::NOENT | Errno::NOTDIR => not_found(verb, display),
        Errno::LOOP => too_many_links(verb, display),
        Errno::NAMETOOLONG => name_too_long(verb, display),
        _ => cannot(errno::code(errno), verb, display, &errno::cause(errno)),
    }
}
