//! Sentences about paths that cannot name a file.

use super::{Verb, cannot};
use crate::error::{Code, Error};
use crate::name;

/// The most characters of an over-long path that a message repeats.
const EXCERPT: usize = 120;

/// The path has no characters but white space.
pub(crate) fn blank_path() -> Error {
    Error {
        code: Code::NotFound,
        message: "file_path must be a non-empty string".to_owned(),
        path: None,
        detail: None,
    }
}

/// A NUL cannot be part of a name.
pub(crate) fn nul_in_path(verb: Verb, display: &str) -> Error {
    let reason = "the path contains a NUL character";
    cannot(Code::NotFound, verb, &excerpt(display), reason)
}

/// The whole is longer than the kernel takes (4,095 bytes).
pub(crate) fn path_too_long(verb: Verb, display: &str) -> Error {
    let reason = "the path is longer than 4095 bytes";
    cannot(Code::NotFound, verb, &excerpt(display), reason)
}

/// A part is longer than the file system takes (255 bytes as a rule).
pub(crate) fn name_too_long(verb: Verb, display: &str) -> Error {
    let reason = "a name in the path is longer than the file system allows";
    cannot(Code::NotFound, verb, &excerpt(display), reason)
}

/// A loop, or a chain of more than 40.
pub(crate) fn too_many_links(verb: Verb, display: &str) -> Error {
    let reason = "too many symbolic links (a loop, or more than 40 of them)";
    cannot(Code::NotFound, verb, display, reason)
}

/// A file is used as a directory.
pub(crate) fn parent_not_directory(verb: Verb, display: &str) -> Error {
    let reason = "a parent path segment is not a directory";
    cannot(Code::NotFound, verb, display, reason)
}

/// A step up from a directory that is not there.
pub(crate) fn parent_of_missing(verb: Verb, display: &str) -> Error {
    let reason = "\"..\" after a directory that does not exist";
    cannot(Code::NotFound, verb, display, reason)
}

/// A step up from where a link of /proc leads, which no text can follow.
pub(crate) fn parent_of_magic_link(verb: Verb, display: &str) -> Error {
    let reason = "\"..\" after a link of /proc";
    cannot(Code::NotFound, verb, display, reason)
}

/// A trailing slash on something that is no directory.
pub(crate) fn slash_after_file(verb: Verb, display: &str) -> Error {
    let reason = "a path that ends in \"/\" or \"/.\" names a directory, and none is there";
    cannot(Code::NotFound, verb, display, reason)
}

/// The directory of relative paths is itself relative.
pub(crate) fn base_not_absolute(verb: Verb, display: &str, base: &str) -> Error {
    let reason = format!(
        "the base directory \"{}\" is not absolute",
        name::shown(base)
    );
    cannot(Code::NotFound, verb, display, &reason)
}

/// A key that no `resolve` gave.
pub(crate) fn key_not_canonical(verb: Verb, display: &str) -> Error {
    let reason = "the target key was not given by this provider";
    cannot(Code::NotFound, verb, display, reason)
}

fn excerpt(display: &str) -> String {
    match display.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &display[..end]),
        None => display.to_owned(),
    }
}
