//! Keys of the local backend, checked: a key that `resolve` did not give names nothing.

use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::error::Error;
use crate::name;
use crate::types::Target;
use crate::wording::{self, Verb};

/// The path of a target as the kernel takes it.
pub(crate) fn path_of(verb: Verb, target: &Target) -> Result<Vec<u8>, Error> {
    checked(verb, &target.key, &target.display)
}

/// The path of a key for other programs of this machine.
pub(super) fn process_path(key: &str) -> Result<PathBuf, Error> {
    let bytes = checked(Verb::Resolve, key, key)?;
    Ok(PathBuf::from(OsString::from_vec(bytes)))
}

/// The `file:` URL of a key: every byte that is not plain in a URL path is escaped.
pub(super) fn file_url(key: &str) -> Result<String, Error> {
    let mut url = "file://".to_owned();
    for byte in checked(Verb::Resolve, key, key)? {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            write!(url, "%{byte:02X}").expect("a string takes every write");
        }
    }
    Ok(url)
}

/// Whether one key is another or beneath it, by whole names. A key that is not canonical
/// contains nothing and is nowhere.
pub(super) fn contains(parent: &str, child: &str) -> bool {
    is_canonical(parent.as_bytes()) && is_canonical(child.as_bytes()) && {
        is_beneath(parent.as_bytes(), child.as_bytes()) || parent == child
    }
}

/// Whether a canonical path is strictly beneath another, by whole names.
pub(crate) fn is_beneath(parent: &[u8], child: &[u8]) -> bool {
    let parent = parent.strip_suffix(b"/").unwrap_or(parent);
    child
        .strip_prefix(parent)
        .is_some_and(|rest| rest.len() > 1 && rest[0] == b'/')
}

/// The path of a direct child.
pub(super) fn joined(parent: &str, name: &str) -> String {
    let parent = parent.strip_suffix('/').unwrap_or(parent);
    format!("{parent}/{name}")
}

fn checked(verb: Verb, key: &str, display: &str) -> Result<Vec<u8>, Error> {
    let bytes = name::to_bytes(key);
    if !is_canonical(&bytes) {
        return Err(wording::key_not_canonical(verb, display));
    }
    Ok(bytes)
}

fn is_canonical(path: &[u8]) -> bool {
    let Some(rest) = path.strip_prefix(b"/") else {
        return false;
    };
    rest.is_empty()
        || (!rest.contains(&0) && rest.split(|b| *b == b'/').all(|part| !is_special(part)))
}

fn is_special(part: &[u8]) -> bool {
    part.is_empty() || part == b"." || part == b".."
}
