//! Sentences about changes of several files that stand or fall together.

use std::fmt::Write;

use rustix::io::Errno;

use super::{Verb, cannot, detailed, errno as system};
use crate::error::{Code, Error};
use crate::name;
use crate::transaction::{Left, Recovered};

fn of_journal(what: &str, errno: Errno) -> Error {
    Error {
        code: Code::IoError,
        message: format!("{what}: {}", system::cause(errno)),
        path: None,
        detail: None,
    }
}

/// There can be no journal.
pub(crate) fn cannot_begin(errno: Errno) -> Error {
    of_journal(
        "cannot begin to change several files: no journal could be made",
        errno,
    )
}

/// The journal cannot be ended, so that a crash would take everything back.
pub(crate) fn cannot_end(errno: Errno) -> Error {
    of_journal(
        "cannot finish changing several files: the journal could not be ended",
        errno,
    )
}

/// The folder of the journals cannot be listed.
pub(crate) fn cannot_recover(errno: Errno) -> Error {
    of_journal("cannot look for interrupted changes", errno)
}

/// The change could not be written down, and so was not made.
pub(crate) fn not_journaled(display: &str, errno: Errno) -> Error {
    let reason = format!(
        "the change could not be journaled first: {}",
        system::cause(errno)
    );
    cannot(Code::IoError, Verb::Edit, display, &reason)
}

/// The texts that would have to be kept are too long. In bytes.
pub(crate) fn too_large(display: &str, most: usize) -> Error {
    let reason = format!("the files of one multi-file change may have {most} bytes together");
    cannot(Code::TooLarge, Verb::Edit, display, &reason)
}

/// What is there is not text, and could not be restored.
pub(crate) fn no_text(verb: Verb, display: &str) -> Error {
    cannot(Code::NotText, verb, display, "its old content is not text")
}

/// Somebody changed the file between two of our changes.
pub(crate) fn changed_between(display: &str) -> Error {
    detailed(
        super::stale(Verb::Edit, display),
        "somebody changed it between two changes of this call",
    )
}

/// The provider publishes without telling first.
pub(crate) fn not_announced(display: &str) -> Error {
    let reason = "the provider changed it without announcing that, and it is not taken back";
    cannot(Code::IoError, Verb::Edit, display, reason)
}

/// Somebody changed the file after us.
pub(crate) fn changed_since(display: &str) -> Error {
    cannot(
        Code::StaleVersion,
        Verb::Write,
        display,
        "it was changed since",
    )
}

/// Somebody removed the file after us.
pub(crate) fn gone_since(display: &str) -> Error {
    cannot(
        Code::StaleVersion,
        Verb::Write,
        display,
        "it was removed since",
    )
}

/// Why a file was left, without the verb and the path, which the list around it has.
pub(crate) fn reason(error: &Error) -> String {
    let why = match (&error.path, error.message.split_once("\": ")) {
        (Some(_), Some((_, why))) => why,
        _ => &error.message,
    };
    match &error.detail {
        Some(detail) => format!("{why} ({detail})"),
        None => why.to_owned(),
    }
}

/// What a start found and did.
pub(crate) fn recovered(done: &Recovered) -> String {
    let back = &done.back;
    let mut text = match done.label.is_empty() {
        true => "The journal of a change that a crash interrupted cannot be read.".to_owned(),
        false => format!("A crash interrupted {}.", name::shown(&done.label)),
    };
    for key in &back.restored {
        let _ = write!(text, "\n  as it was: {}", name::shown(key));
    }
    list(&mut text, "left", &back.left);
    list(&mut text, "waits for a later start", &back.waiting);
    if let Some(kept) = &back.kept {
        let _ = write!(text, "\n  kept in {}", kept.display());
    }
    text
}

fn list(text: &mut String, what: &str, files: &[Left]) {
    for left in files {
        let _ = write!(text, "\n  {what}: {} ({})", left.path, left.reason);
    }
}
