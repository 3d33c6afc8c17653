//! What people read about the database.

use std::path::Path;

use dsh_fs::name::shown;

use crate::error::Misplaced;

pub(crate) fn unusable(path: &Path, why: &str) -> String {
    format!("the state file {} cannot be used: {why}", path.display())
}

pub(crate) fn foreign(path: &Path) -> String {
    format!(
        "the state file {} is not a database of dsh-fs, and was left as it is",
        path.display()
    )
}

pub(crate) fn newer(path: &Path, found: i64) -> String {
    format!(
        "the state file {} was written by a later release (layout {found}), and was left as it is",
        path.display()
    )
}

pub(crate) fn bad_name(name: &str) -> String {
    format!(
        "\"{}\" is no name of a session: 1 to 128 characters, none of them a control character",
        shown(name)
    )
}

pub(crate) fn unknown_session(name: &str) -> String {
    format!("there is no session '{}'", shown(name))
}

pub(crate) fn session_elsewhere(name: &str, cwd: &str) -> String {
    format!(
        "the session \"{}\" belongs to the directory \"{}\", and keeps it",
        shown(name),
        shown(cwd)
    )
}

pub(crate) fn session_exists(name: &str) -> String {
    format!("there is a session \"{}\" already", shown(name))
}

pub(crate) fn moved(name: &str) -> String {
    format!(
        "the session \"{}\" was saved by another process meanwhile",
        shown(name)
    )
}

pub(crate) fn cancelled(name: &str) -> String {
    format!(
        "stopped waiting for another call of the session \"{}\"",
        shown(name)
    )
}

pub(crate) fn failed(error: &rusqlite::Error) -> String {
    format!("the state database failed: {error}")
}

pub(crate) fn no_directory(path: &str, why: &str) -> String {
    format!("there is no directory \"{}\": {why}", shown(path))
}

pub(crate) fn unknown_workspace(id: &str) -> String {
    format!("there is no workspace '{}'", shown(id))
}

pub(crate) fn misplaced(session: &str, why: &Misplaced) -> String {
    let why = match why {
        Misplaced::NoDirectory => "it carries no cwd".to_owned(),
        Misplaced::Unresolved(cwd) => format!("its cwd '{}' does not resolve", shown(cwd)),
        Misplaced::File(cwd) => format!("its cwd '{}' is not a directory", shown(cwd)),
        Misplaced::Elsewhere(cwd) => format!("its cwd resolves to '{}'", shown(cwd)),
    };
    format!("session '{}' cannot be attached: {why}", shown(session))
}

pub(crate) fn not_accounted(name: &str, anchor: bool) -> String {
    let which = if anchor {
        "the anchor session"
    } else {
        "the session"
    };
    format!("cannot move '{}': {which} is not accounted", shown(name))
}

pub(crate) const OTHERS_CAN_WRITE: &str = "it is not a file of this user alone";

pub(crate) const OTHERS_OWN_THE_FOLDER: &str =
    "others can write to its folder; choose one that only this user can write to";
