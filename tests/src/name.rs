//! Names that are not UTF-8, in the escape of `dsh:fs/filesystem`.
//!
//! A byte that is no text crosses as U+EF00 plus its value, so that a vector can name it.
//! It is written here a second time on purpose: the runner must not ask what it checks.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// The path that a text means.
#[must_use]
pub fn to_path(text: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match u32::from(character) {
            point @ 0xEF80..=0xEFFF => bytes.push((point & 0xFF) as u8),
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    PathBuf::from(OsString::from_vec(bytes))
}

/// The text of a name.
#[must_use]
pub fn to_text(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            if (0xEF80..=0xEFFF).contains(&u32::from(character)) {
                text.extend(character.encode_utf8(&mut [0; 4]).bytes().map(escaped));
            } else {
                text.push(character);
            }
        }
        text.extend(chunk.invalid().iter().copied().map(escaped));
    }
    text
}

fn escaped(byte: u8) -> char {
    char::from_u32(0xEF00 + u32::from(byte)).expect("a private use character")
}
