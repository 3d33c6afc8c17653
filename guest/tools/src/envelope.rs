//! How an answer is laid out: the path, the type, the content, and what remains to read.
//!
//! Every line of a file is numbered and every name is escaped, so that neither can look
//! like a part of the layout.

mod entries;
mod lines;
#[cfg(test)]
mod tests;

pub(crate) use entries::entries;
pub(crate) use lines::lines;

use crate::bindings::dsh::fs::types::{Error, ErrorCode};

/// Room for everything that stands around a content, in bytes.
const LAYOUT: usize = 256;

/// A short content about a file.
pub(crate) fn file(path: &str, content: &str) -> String {
    let mut text = opened(path, "file", content.len());
    text.push_str(content);
    closed(text)
}

/// The sentence about an edit.
pub(crate) fn edited(path: &str, all: bool) -> String {
    let mut text = String::from("The file ");
    push_name(&mut text, path);
    text.push_str(match all {
        true => " has been updated. All occurrences were successfully replaced.",
        false => " has been updated successfully.",
    });
    text
}

/// An offset behind the last line or entry.
pub(crate) fn out_of_range(path: &str, offset: u64, total: u32, counted: &str) -> Error {
    let mut message = String::from("offset ");
    push_numbered(&mut message, "", offset, " is out of range for \"");
    push_name(&mut message, path);
    push_numbered(&mut message, "\" (", u64::from(total), " ");
    message.push_str(counted);
    message.push(')');
    Error {
        code: ErrorCode::NotFound,
        message,
        path: Some(path.to_owned()),
        detail: None,
    }
}

/// Appends a number.
pub(crate) fn push_number(text: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

fn opened(path: &str, kind: &str, content: usize) -> String {
    let mut text = String::with_capacity(LAYOUT + path.len() + content);
    text.push_str("<path>");
    push_name(&mut text, path);
    text.push_str("</path>\n<type>");
    text.push_str(kind);
    text.push_str("</type>\n<content>\n");
    text
}

fn closed(mut text: String) -> String {
    text.push_str("\n</content>");
    text
}

/// Appends a name. Control characters, characters that turn or break a line, and angle
/// brackets are escaped, so that a name cannot look like a part of the layout.
fn push_name(text: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if imitates_layout(character) => text.extend(character.escape_unicode()),
            _ => text.push(character),
        }
    }
}

fn imitates_layout(character: char) -> bool {
    let turns = matches!(character, '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(character, '\u{2028}' | '\u{2029}');
    character.is_control() || turns || breaks || character == '<' || character == '>'
}

fn push_range(text: &mut String, before: &str, first: u64, last: u64) {
    push_numbered(text, before, first, "-");
    push_number(text, last);
}

fn push_numbered(text: &mut String, before: &str, number: u64, after: &str) {
    text.push_str(before);
    push_number(text, number);
    text.push_str(after);
}
