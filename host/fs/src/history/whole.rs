//! The bytes of a file, from a window that shows all of it.

use crate::types::{LineEndings, TextWindow};

/// The bytes that such a window most likely stands for; `None` where it shows a part, or
/// where its lines end in several ways. Whoever uses them compares their version.
pub(super) fn content(window: &TextWindow) -> Option<String> {
    let whole = window.line_count == window.total_lines && window.cut_lines.is_empty();
    if !whole || window.line_endings == LineEndings::Mixed {
        return None;
    }
    let mark = if window.byte_order_mark {
        "\u{FEFF}"
    } else {
        ""
    };
    let text = match window.final_newline {
        true => window.text.as_str(),
        false => window.text.strip_suffix('\n').unwrap_or(&window.text),
    };
    Some(match window.line_endings {
        LineEndings::Crlf => [mark, &text.replace('\n', "\r\n")].concat(),
        _ => [mark, text].concat(),
    })
}
