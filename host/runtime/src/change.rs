//! The change of one call as a person is shown it: made by the host from the arguments of
//! the call and from the file, in bounded time and memory.

mod lines;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::sandbox::Files;
use dsh_fs::types::{Target, TextContent, WriteGuard};

use crate::approver::{Change, ChangeKind};
use crate::bindings::tools::{EditArgs, WriteArgs};
use crate::request::Request;

/// The largest text that is read, or compared, in bytes.
const MOST_BYTES: usize = 256 * 1024;

/// What was found at the target when the question was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing.
    Absent,
    /// A text of this version.
    Version(String),
    /// The question did not depend on it, or it could not be read.
    Unknown,
}

impl Found {
    /// What is at a target now.
    pub(crate) fn at(target: &Target, reader: &Files, cancel: &Cancel) -> Self {
        Self::of(&reader.read_text(target, MOST_BYTES as u64, cancel))
    }

    fn of(read: &Result<TextContent, Error>) -> Self {
        match read {
            Ok(old) => Self::Version(old.version.clone()),
            Err(error) if error.code == Code::NotFound => Self::Absent,
            Err(_) => Self::Unknown,
        }
    }

    /// The guard under which nothing else is replaced.
    pub(crate) fn guard(&self) -> WriteGuard {
        match self {
            Self::Absent => WriteGuard::CreateIfAbsent,
            Self::Version(version) => WriteGuard::ReplaceIfVersion(version.clone()),
            Self::Unknown => WriteGuard::Unconditional,
        }
    }
}

/// A change as it is shown, and what it was made from.
pub(crate) struct Preview {
    pub(crate) change: Option<Change>,
    pub(crate) found: Found,
}

/// What the running call would do to the target.
pub(crate) fn preview(
    request: &Request,
    target: &Target,
    reader: &Files,
    cancel: &Cancel,
) -> Preview {
    match request {
        Request::Write(args) => of_write(args, target, reader, cancel),
        Request::Edit(args) => Preview {
            change: Some(of_edit(args)),
            found: Found::Unknown,
        },
        Request::Other => Preview {
            change: None,
            found: Found::Unknown,
        },
    }
}

fn of_write(args: &WriteArgs, target: &Target, reader: &Files, cancel: &Cancel) -> Preview {
    let new = args.content.as_str();
    let old = reader.read_text(target, MOST_BYTES as u64, cancel);
    let found = Found::of(&old);
    let change = match (&old, &found) {
        (Ok(old), _) => replacing(&old.text, new),
        (Err(_), Found::Absent) => content(ChangeKind::Creates, new),
        (Err(_), _) => content(ChangeKind::ReplacesUnread, new),
    };
    Preview {
        change: Some(change),
        found,
    }
}

fn replacing(old: &str, new: &str) -> Change {
    if new.len() > MOST_BYTES {
        return content(ChangeKind::ReplacesUnread, new);
    }
    let (lines, cut) = lines::difference(old, new);
    Change {
        kind: ChangeKind::Replaces,
        lines,
        cut,
    }
}

fn content(kind: ChangeKind, text: &str) -> Change {
    let (lines, cut) = lines::added(text);
    Change { kind, lines, cut }
}

/// The file is not looked at: what is taken out and what is put in are both arguments.
fn of_edit(args: &EditArgs) -> Change {
    let kind = match args.replace_all {
        true => ChangeKind::EditsAll,
        false => ChangeKind::Edits,
    };
    let (lines, cut) = lines::replaced(&args.old_string, &args.new_string, MOST_BYTES);
    Change { kind, lines, cut }
}
