//! Names of files as text, without loss.
//!
//! A name is bytes, and not every name is UTF-8. Each byte from 0x80 that is not part of
//! valid UTF-8 becomes one character of U+EF80 to U+EFFF, and so does each byte of a
//! character that is itself in that range: every name has one text, and every text leads
//! back to its name. No such character stands for `/`, `.` or NUL, so a path keeps its
//! parts through the escape.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// What is added to a byte to make its character.
const ESCAPE: u32 = 0xEF00;

/// The text of a name or path.
#[must_use]
pub fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        push_valid(&mut text, chunk.valid());
        for byte in chunk.invalid() {
            text.push(character(*byte));
        }
    }
    text
}

/// The bytes that a text stands for. The inverse of [`to_text`].
#[must_use]
pub fn to_bytes(text: &str) -> Vec<u8> {
    if !may_hold_escapes(text) {
        return text.as_bytes().to_vec();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// A path as a message shows it: what could move the cursor, end the line or turn the
/// direction of the text is escaped, and a byte that is not UTF-8 is shown as `\xff`.
#[must_use]
pub fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        push_shown(&mut shown, c);
    }
    shown
}

fn push_valid(text: &mut String, valid: &str) {
    if !may_hold_escapes(valid) {
        text.push_str(valid);
        return;
    }
    for c in valid.chars() {
        if byte(c).is_none() {
            text.push(c);
            continue;
        }
        for own in c.encode_utf8(&mut [0; 4]).bytes() {
            text.push(character(own));
        }
    }
}

/// Every character of the escape begins with this byte in UTF-8, and few others do.
fn may_hold_escapes(text: &str) -> bool {
    text.as_bytes().contains(&0xEE)
}

fn character(byte: u8) -> char {
    char::from_u32(ESCAPE + u32::from(byte)).expect("U+EF00 to U+EFFF are characters")
}

fn byte(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ 0xEF80..=0xEFFF => u8::try_from(code - ESCAPE).ok(),
        _ => None,
    }
}

fn push_shown(shown: &mut String, c: char) {
    if let Some(byte) = byte(c) {
        write!(shown, "\\x{byte:02x}").expect("a string takes every write");
    } else if c == '\\' || c.is_control() || is_format(c) {
        shown.extend(c.escape_default());
    } else {
        shown.push(c);
    }
}

/// Marks of direction, separators of lines and paragraphs, and characters that show
/// nothing (Unicode's default ignorable ones, and the blank of Braille).
fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::{shown, to_bytes, to_text};
    use proptest::prelude::*;

    #[test]
    fn plain_names_are_themselves() {
        assert_eq!(to_text("a/é/文".as_bytes()), "a/é/文");
        assert_eq!(to_bytes("a/é/文"), "a/é/文".as_bytes());
    }

    #[test]
    fn bytes_that_are_not_utf8_become_single_characters() {
        assert_eq!(to_text(b"fo\xffo"), "fo\u{EFFF}o");
        assert_eq!(to_bytes("fo\u{EFFF}o"), b"fo\xffo");
    }

    #[test]
    fn a_genuine_character_of_the_escape_range_is_escaped_itself() {
        let name = "\u{EFFF}".as_bytes();
        assert_eq!(to_text(name), "\u{EFEE}\u{EFBF}\u{EFBF}");
        assert_eq!(to_bytes(&to_text(name)), name);
    }

    #[test]
    fn messages_hold_no_control_or_direction() {
        assert_eq!(shown("a\n\u{202E}b\u{EFFF}"), "a\\n\\u{202e}b\\xff");
    }

    proptest! {
        #[test]
        fn every_name_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(to_bytes(&to_text(&bytes)), bytes);
        }

        #[test]
        fn names_near_the_escape_come_back(
            parts in proptest::collection::vec(prop_oneof![
                Just(&b"\xee"[..]), Just(&b"\xbe"[..]), Just(&b"\xbf"[..]), Just(&b"\x80"[..]),
                Just(&b"a"[..]), Just("\u{EFFF}".as_bytes()), Just("\u{EF80}".as_bytes()),
            ], 0..12),
        ) {
            let bytes = parts.concat();
            prop_assert_eq!(to_bytes(&to_text(&bytes)), bytes);
        }
    }
}
