//! A window of a whole content.

use dsh_fs_text::endings;
use dsh_fs_text::window::{Wanted, WindowReader};

use crate::bindings::dsh::fs::types::{CutLine, LineEndings, ReadWindow, TextWindow};
use crate::unmarked;

/// The window, with the facts about the whole.
pub(crate) fn window(content: &str, version: String, wanted: ReadWindow) -> TextWindow {
    let (text, byte_order_mark) = unmarked(content);
    let mut reader = WindowReader::new(Wanted {
        first_line: wanted.first_line,
        first_column: wanted.first_column,
        max_lines: wanted.max_lines,
        max_bytes: wanted.max_bytes,
        max_line_chars: wanted.max_line_chars,
    });
    reader.feed(text);
    let window = reader.finish();
    let cut_lines = window.cut_lines.iter().map(|cut| CutLine {
        line: cut.line,
        next_column: cut.next_column,
    });
    TextWindow {
        version,
        cut_lines: cut_lines.collect(),
        first_line: window.first_line,
        line_count: window.line_count,
        total_lines: window.total_lines,
        capped: window.capped,
        line_endings: line_endings(window.line_endings),
        final_newline: window.final_newline,
        byte_order_mark,
        text: window.text,
    }
}

fn line_endings(endings: endings::LineEndings) -> LineEndings {
    match endings {
        endings::LineEndings::None => LineEndings::None,
        endings::LineEndings::Lf => LineEndings::Lf,
        endings::LineEndings::Crlf => LineEndings::Crlf,
        endings::LineEndings::Mixed => LineEndings::Mixed,
    }
}
