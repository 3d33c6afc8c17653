//! A path as it was given, made absolute and checked for what no path may hold.

use super::LONGEST_NAME;
use crate::error::Error;
use crate::name;
use crate::wording::{self, Verb};

/// The longest path, in bytes, that the kernel takes (its limit counts the final NUL).
const LONGEST_PATH: usize = 4095;

/// An absolute path with every `.`, `..` and repeated slash still in it.
pub(in crate::local) struct Spelling {
    text: String,
    bytes: Vec<u8>,
}

impl Spelling {
    /// Puts a relative path after its base, which must be absolute.
    pub(in crate::local) fn new(verb: Verb, path: &str, base: &str) -> Result<Self, Error> {
        if path.trim().is_empty() {
            return Err(wording::blank_path());
        }
        let text = match path.starts_with('/') {
            true => path.to_owned(),
            false if base.starts_with('/') => format!("{base}/{path}"),
            false => return Err(wording::base_not_absolute(verb, path, base)),
        };
        let bytes = name::to_bytes(&text);
        if bytes.contains(&0) {
            return Err(wording::nul_in_path(verb, &text));
        }
        if bytes.len() > LONGEST_PATH {
            return Err(wording::path_too_long(verb, &text));
        }
        Ok(Self { text, bytes })
    }

    /// What the kernel is given.
    pub(in crate::local) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The names in order; `.` and empty ones are left out, `..` is not.
    pub(super) fn parts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        parts(&self.bytes)
    }

    /// Without `.`, `..` and repeated slashes, by the text alone.
    pub(super) fn clean(&self) -> Vec<u8> {
        clean(&self.bytes)
    }

    /// The same of the text, for people.
    pub(in crate::local) fn shown(&self) -> String {
        let clean = clean(self.text.as_bytes());
        String::from_utf8(clean).expect("slashes divide a text between characters")
    }

    /// Whether a part is `..`.
    pub(super) fn steps_up(&self) -> bool {
        self.parts().any(|part| part == b"..")
    }

    /// Whether the last part must be a directory: it is followed by `/` or `/.`.
    pub(super) fn wants_directory(&self) -> bool {
        wants_directory(&self.bytes)
    }

    /// Whether all of it could be the names of files that are still to be made.
    pub(super) fn is_plain(&self) -> bool {
        !self.wants_directory()
            && self
                .parts()
                .all(|part| part != b".." && part.len() <= LONGEST_NAME)
    }
}

/// The names of a path in order, without `.` and empty ones.
pub(super) fn parts(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty() && *part != b".")
}

/// Whether what a path leads to must be a directory. (After `..` it is one.)
pub(super) fn wants_directory(path: &[u8]) -> bool {
    path.ends_with(b"/") || path.ends_with(b"/.") || path == b"."
}

fn clean(path: &[u8]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(path.len());
    for part in parts(path) {
        match part {
            b".." => clean.truncate(parent_length(&clean)),
            name => push(&mut clean, name),
        }
    }
    rooted(clean)
}

/// Adds a name to a path that has no trailing slash; the empty path is `/`.
pub(super) fn push(path: &mut Vec<u8>, name: &[u8]) {
    path.push(b'/');
    path.extend_from_slice(name);
}

/// The length of a path without its last name.
pub(super) fn parent_length(path: &[u8]) -> usize {
    path.iter().rposition(|byte| *byte == b'/').unwrap_or(0)
}

/// The path, or `/` where it has no names.
pub(super) fn rooted(path: Vec<u8>) -> Vec<u8> {
    if path.is_empty() { b"/".to_vec() } else { path }
}
