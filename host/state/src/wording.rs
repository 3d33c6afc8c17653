//! What people read about the database.

use std::path::Path;

use dsh_fs::name::shown;

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
    format!("there is no session \"{}\"", shown(name))
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

pub(crate) const OTHERS_CAN_WRITE: &str = "it is not a file of this user alone";
