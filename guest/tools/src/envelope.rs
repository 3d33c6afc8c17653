//! How an answer is laid out: the path, the type, the content, and what remains to read.
//!
//! Every line of a file is numbered and every name is escaped, so that neither can look
//! like a part of the layout.

use crate::bindings::dsh::fs::types::{
    CutLine, DirEntry, EntryKind, Error, ErrorCode, LineEndings, ReadWindow, TextWindow,
};

/// Room for the number of one line, in bytes.
const LINE_NUMBER: usize = 10;
/// Room for everything that stands around a content, in bytes.
const LAYOUT: usize = 256;
/// The most cut lines that are named.
const NAMED_CUTS: usize = 5;

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

/// A window of lines, and how to read on.
pub(crate) fn lines(path: &str, window: &TextWindow, wanted: &ReadWindow) -> String {
    let numbers = LINE_NUMBER * window.line_count as usize;
    let mut text = opened(path, "file", window.text.len() + numbers);
    let mut cuts = window.cut_lines.iter().peekable();
    let numbered = (u64::from(window.first_line)..).zip(window.text.split_terminator('\n'));
    for (number, line) in numbered {
        push_number(&mut text, number);
        text.push_str(": ");
        text.push_str(line);
        if let Some(cut) = cuts.next_if(|cut| u64::from(cut.line) == number) {
            text.push_str("... (line truncated to ");
            push_number(&mut text, u64::from(shown(cut, wanted)));
            text.push_str(" chars)");
        }
        text.push('\n');
    }
    text.push('\n');
    push_lines_footer(&mut text, window, wanted);
    push_facts(&mut text, window, wanted);
    closed(text)
}

/// The entries of a directory from one on, and how to read on.
pub(crate) fn entries(path: &str, entries: &[DirEntry], first: u32, total: u32) -> String {
    let names: usize = entries.iter().map(|entry| entry.name.len() + 24).sum();
    let mut text = opened(path, "directory", names);
    for entry in entries {
        push_entry(&mut text, entry);
    }
    text.push('\n');
    let first = u64::from(first);
    let next = first + entries.len() as u64;
    if next <= u64::from(total) {
        push_range(&mut text, "(Showing entries ", first, next - 1);
        push_numbered(&mut text, " of ", u64::from(total), "");
        push_numbered(&mut text, ". Use offset=", next, " to continue.)");
    } else {
        push_numbered(
            &mut text,
            "(End of directory - total ",
            u64::from(total),
            " entries)",
        );
    }
    closed(text)
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

fn push_entry(text: &mut String, entry: &DirEntry) {
    push_name(text, &entry.name);
    if entry.kind == EntryKind::Directory {
        text.push('/');
    }
    let mut facts = Facts::new(text);
    if entry.is_link {
        facts.next().push_str("link");
    }
    match (&entry.trouble, entry.size, entry.kind) {
        (Some(trouble), ..) => push_name(facts.next(), trouble),
        (None, Some(1), _) => facts.next().push_str("1 byte"),
        (None, Some(size), _) => push_numbered(facts.next(), "", size, " bytes"),
        (None, None, EntryKind::Other) => facts.next().push_str("special file"),
        (None, None, _) => {}
    }
    facts.end();
    text.push('\n');
}

/// Facts about an entry, in brackets behind its name.
struct Facts<'t> {
    text: &'t mut String,
    any: bool,
}

impl<'t> Facts<'t> {
    fn new(text: &'t mut String) -> Self {
        Self { text, any: false }
    }

    fn next(&mut self) -> &mut String {
        self.text.push_str(if self.any { ", " } else { " (" });
        self.any = true;
        self.text
    }

    fn end(self) {
        if self.any {
            self.text.push(')');
        }
    }
}

fn push_lines_footer(text: &mut String, window: &TextWindow, wanted: &ReadWindow) {
    let first = u64::from(window.first_line);
    let next = first + u64::from(window.line_count);
    if window.capped {
        push_range(text, "(Output capped. Showing lines ", first, next - 1);
        match cut_by_bytes(window, wanted) {
            Some(cut) => push_way_on(text, cut),
            None => push_numbered(text, ". Use offset=", next, ""),
        }
        text.push_str(" to continue.)");
    } else if next <= u64::from(window.total_lines) {
        push_range(text, "(Showing lines ", first, next - 1);
        push_numbered(text, " of ", u64::from(window.total_lines), "");
        push_numbered(text, ". Use offset=", next, " to continue.)");
    } else {
        push_numbered(
            text,
            "(End of file - total ",
            u64::from(window.total_lines),
            " lines)",
        );
    }
}

/// Facts that the lines do not show, each on a line of its own.
fn push_facts(text: &mut String, window: &TextWindow, wanted: &ReadWindow) {
    if wanted.first_column > 1 && window.line_count > 0 {
        push_numbered(text, "\n(Line ", u64::from(window.first_line), "");
        push_numbered(
            text,
            " is shown from column ",
            u64::from(wanted.first_column),
            ".)",
        );
    }
    if cut_by_bytes(window, wanted).is_none() {
        push_cut_lines(text, &window.cut_lines);
    }
    text.push_str(match window.line_endings {
        LineEndings::None | LineEndings::Lf => "",
        LineEndings::Crlf => "\n(Line endings are CRLF.)",
        LineEndings::Mixed => "\n(Line endings are mixed, LF and CRLF.)",
    });
    if window.byte_order_mark {
        text.push_str("\n(The file begins with a byte order mark.)");
    }
    if lacks_final_newline(window) {
        text.push_str("\n(No newline at end of file)");
    }
}

/// Whether the last line of the file is shown and lacks the ending that others have. A
/// file of one line without an ending is left as the protocol has it.
fn lacks_final_newline(window: &TextWindow) -> bool {
    let end = u64::from(window.first_line) + u64::from(window.line_count);
    let shown = end > u64::from(window.total_lines) && window.line_count > 0;
    shown && !window.final_newline && window.line_endings != LineEndings::None
}

fn push_cut_lines(text: &mut String, cuts: &[CutLine]) {
    let Some(first) = cuts.first() else { return };
    text.push_str("\n(Cut lines: ");
    for (index, cut) in cuts.iter().take(NAMED_CUTS).enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        push_number(text, u64::from(cut.line));
    }
    text.push_str(if cuts.len() > NAMED_CUTS {
        " and more"
    } else {
        ""
    });
    push_way_on(text, first);
    text.push_str(" to read on.)");
}

fn push_way_on(text: &mut String, cut: &CutLine) {
    push_numbered(text, ". Use offset=", u64::from(cut.line), "");
    push_numbered(text, " column=", u64::from(cut.next_column), "");
}

/// How many characters of a cut line are shown.
fn shown(cut: &CutLine, wanted: &ReadWindow) -> u32 {
    let from = if cut.line == wanted.first_line {
        wanted.first_column
    } else {
        1
    };
    cut.next_column.saturating_sub(from)
}

/// The line that the byte limit cut: it is the only one, and shorter than the other
/// limit allows.
fn cut_by_bytes<'w>(window: &'w TextWindow, wanted: &ReadWindow) -> Option<&'w CutLine> {
    let cut = window
        .cut_lines
        .first()
        .filter(|_| window.capped && window.line_count == 1)?;
    (shown(cut, wanted) < wanted.max_line_chars).then_some(cut)
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

#[cfg(test)]
mod tests;
