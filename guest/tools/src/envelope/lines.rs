//! The layout of a window of lines, and how it says what is not shown.

use super::{closed, opened, push_number, push_numbered, push_range};
use crate::bindings::dsh::fs::types::{CutLine, LineEndings, ReadWindow, TextWindow};

/// Room for the number of one line, in bytes.
const LINE_NUMBER: usize = 10;

/// The most cut lines that are named.
const NAMED_CUTS: usize = 5;

/// A window of lines, and how to read on.
pub(crate) fn lines(path: &str, window: &TextWindow, wanted: &ReadWindow) -> String {
    let numbers = LINE_NUMBER * window.line_count as usize;
    let mut text = opened(path, "file", window.text.len() + numbers);
    let mut cuts = window.cut_lines.iter().peekable();
    let numbered = (u64::from(window.first_line)..).zip(window.text.split_inclusive('\n'));
    for (number, line) in numbered {
        push_number(&mut text, number);
        text.push(':');
        text.push(' ');
        text.push_str(line);
        if let Some(cut) = cuts.next_if(|cut| u64::from(cut.line) == number) {
            text.pop();
            push_cut_mark(&mut text, cut, wanted);
        }
    }
    text.push('\n');
    push_lines_footer(&mut text, window, wanted);
    push_facts(&mut text, window, wanted);
    closed(text)
}

/// Says that a line is longer than what is shown of it, and ends it.
fn push_cut_mark(text: &mut String, cut: &CutLine, wanted: &ReadWindow) {
    let shown = u64::from(shown(cut, wanted));
    push_numbered(text, "... (line truncated to ", shown, " chars)\n");
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

/// Whether the last line of the file is shown and has no ending: a model that appends to
/// it must know.
fn lacks_final_newline(window: &TextWindow) -> bool {
    let end = u64::from(window.first_line) + u64::from(window.line_count);
    let shown = end > u64::from(window.total_lines) && window.line_count > 0;
    shown && !window.final_newline
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
