//! Every sentence about a configuration.

use std::fmt::Display;
use std::path::Path;

use dsh_fs::roots::BadGlob;
use dsh_fs::types::Mode;
use dsh_fs_confine::BadRunner;

use super::error::ConfigCode;

/// How alike a known key must be to be suggested, from 0 to 1.
const ALIKE: f64 = 0.7;

/// What serde says of a key or value: its code, and the sentence with a suggestion.
pub(super) fn mistyped(message: &str) -> (ConfigCode, String) {
    if !message.starts_with("unknown field") {
        return (ConfigCode::BadValue, message.to_owned());
    }
    // The first name in ticks is the key that was written, the others are the known ones.
    let mut names = message.split('`').skip(1).step_by(2);
    let written = names.next().unwrap_or_default();
    let likeness = |name: &str| strsim::jaro_winkler(&written.to_lowercase(), name);
    let near = names
        .filter(|name| likeness(name) >= ALIKE)
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let sentence = match near {
        Some(near) => format!("there is no such key; did you mean \"{near}\"?"),
        None => format!("there is no such key: {message}"),
    };
    (ConfigCode::UnknownKey, sentence)
}

/// Why a value is not the absolute path that is meant.
pub(super) fn not_absolute(value: &str) -> Option<String> {
    if !value.starts_with('/') {
        return Some(format!(
            "expected an absolute path, found \"{value}\"; neither ~ nor variables are expanded"
        ));
    }
    unclean(value)
}

/// Why a value is no sub-path of a root, and no absolute path.
pub(super) fn no_sub_path(value: &str) -> Option<String> {
    if value.is_empty() {
        return Some("expected a path, found \"\"".to_owned());
    }
    if value.starts_with('~') || value.starts_with('$') {
        return Some(format!(
            "expected a path beneath the roots or an absolute one, found \"{value}\"; neither \
             ~ nor variables are expanded"
        ));
    }
    unclean(value)
}

fn unclean(value: &str) -> Option<String> {
    if value.contains('\0') {
        return Some("a NUL cannot be part of a path".to_owned());
    }
    value
        .split('/')
        .any(|name| name == "." || name == "..")
        .then(|| format!("expected a path without \".\" and \"..\", found \"{value}\""))
}

/// A deny-read pattern cannot be a rule.
pub(super) fn bad_pattern(pattern: &str, error: &BadGlob) -> String {
    format!("\"{pattern}\" cannot be a rule: {error}")
}

/// A row of the escalation table says nothing.
pub(super) fn no_answer() -> String {
    "expected answer = \"ask\", \"never\" or \"always\"".to_owned()
}

/// The sessions of a row are no glob.
pub(super) fn no_glob(reason: &str) -> String {
    format!("expected a glob over names of sessions: {reason}")
}

/// A runner is missing, or there is one that nothing uses.
pub(super) fn runner(missing: bool) -> String {
    if missing {
        "expected a table with argv, since backend is \"custom\"".to_owned()
    } else {
        "a runner is used only where backend is \"custom\"".to_owned()
    }
}

/// The words by which a runner is understood are missing, or cannot be found in a line.
pub(super) fn signatures(reason: &BadRunner) -> String {
    format!(
        "{reason}: texts that standard error contains, without which a runner that could not \
         start is taken for a command that failed"
    )
}

/// The file cannot be read.
pub(super) fn unreadable(reason: impl Display) -> String {
    format!("cannot be read: {reason}")
}

/// It is longer than any policy.
pub(super) fn too_long(most: u64) -> String {
    format!("it is longer than {most} bytes")
}

/// The file, or a name on the way to it, lies where an agent may write.
pub(super) fn in_root(place: &Path, root: &Path) -> String {
    format!(
        "{} lies beneath the writable root {}, where an agent could change it",
        place.display(),
        root.display()
    )
}

/// The file has other names, one of which may lie in a root.
pub(super) fn linked(links: u64) -> String {
    format!("it has {links} hard links, and an agent could change it by another one")
}

/// Others may write there.
pub(super) fn writable(place: &Path) -> String {
    format!(
        "{} is writable by its group or by others; chmod go-w it",
        place.display()
    )
}

/// It belongs to somebody else.
pub(super) fn foreign(place: &Path, uid: u32) -> String {
    format!(
        "{} belongs to the user {uid}, who is neither this one nor root",
        place.display()
    )
}

/// It was exchanged while it was looked at.
pub(super) fn exchanged() -> String {
    "it was exchanged while it was read".to_owned()
}

/// The command line asks for a wider mode.
pub(super) fn wider_mode(asked: Mode, allowed: Mode) -> String {
    format!(
        "\"{}\" is wider than \"{}\" of the file; the command line can only narrow it",
        asked.name(),
        allowed.name()
    )
}

/// The command line names another workspace.
pub(super) fn other_workspace(asked: &Path, allowed: &Path) -> String {
    format!(
        "{} is neither {} of the file nor beneath it; the command line can only narrow it",
        asked.display(),
        allowed.display()
    )
}

/// The command line switches on what the file leaves off.
pub(super) fn switched_on() -> String {
    "the file does not allow it; the command line can only narrow it".to_owned()
}
