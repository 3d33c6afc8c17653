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

use crate::bindings::dsh::fs::observation::Fill;
use crate::bindings::dsh::fs::types::{Error, ErrorCode};
use crate::seen::PartlySeen;

/// Room for everything that stands around a content, in bytes.
const LAYOUT: usize = 256;

/// The answer about a new file.
pub(crate) fn created(path: &str) -> String {
    let mut text = opened(path, "file", 0);
    text.push_str("Created file");
    closed(text)
}

/// The answer about a replaced file, and what had been read of it, if not all.
pub(crate) fn updated(path: &str, seen: Option<&PartlySeen>) -> String {
    let mut text = opened(path, "file", 0);
    text.push_str("Updated file");
    if let Some(seen) = seen {
        push_seen(&mut text, seen);
    }
    closed(text)
}

/// The line that says why a file that was read once may count as unread.
pub(crate) fn overflow(fill: &Fill) -> String {
    let mut text = String::from("(This session remembers the last ");
    push_number(&mut text, u64::from(fill.capacity));
    text.push_str(" files; ");
    push_number(&mut text, fill.forgotten);
    text.push_str(" older ones count as unread again.)");
    text
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
    for &digit in &digits[at..] {
        text.push(char::from(digit));
    }
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

/// Appends a name. The backslash that begins an escape, control characters, characters that turn or break a line, and angle
/// brackets are escaped, so that a name cannot look like a part of the layout.
fn push_name(text: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
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

fn push_seen(text: &mut String, seen: &PartlySeen) {
    if seen.ranges.is_empty() {
        push_numbered(
            text,
            "\n(None of its ",
            u64::from(seen.total),
            " lines had been read.)",
        );
        return;
    }
    text.push_str("\n(Only a part had been read: lines ");
    for (index, &(first, last)) in seen.ranges.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        push_range(text, separator, u64::from(first), u64::from(last));
    }
    push_numbered(text, " of ", u64::from(seen.total), ".)");
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
