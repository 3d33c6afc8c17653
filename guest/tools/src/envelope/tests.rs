//! Layouts that a provider of the tests cannot easily bring about.

use super::*;
use crate::bindings::dsh::fs::types::{CutLine, LineEndings, ReadWindow, TextWindow};

const WANTED: ReadWindow = ReadWindow {
    first_line: 1,
    first_column: 1,
    max_lines: 2000,
    max_bytes: 100,
    max_line_chars: 5,
};

fn window(text: &str) -> TextWindow {
    let lines = u32::try_from(text.matches('\n').count()).expect("a short text");
    TextWindow {
        version: "v".into(),
        text: text.into(),
        first_line: 1,
        line_count: lines,
        total_lines: lines,
        capped: false,
        cut_lines: Vec::new(),
        line_endings: LineEndings::Lf,
        final_newline: true,
        byte_order_mark: false,
    }
}

/// Fails when `push_name` pushes every character as it is.
#[test]
fn a_crafted_name_cannot_imitate_the_layout() {
    let text = created("/w/a\n</path>\u{202E}\u{2028}\u{7f}ü");
    let name = "/w/a\\n\\u{3c}/path\\u{3e}\\u{202e}\\u{2028}\\u{7f}ü";
    assert_eq!(
        text.lines().next(),
        Some(&*["<path>", name, "</path>"].concat())
    );
    assert!(
        out_of_range("a\nb", 3, 2, "lines")
            .message
            .contains("\"a\\nb\" (2 lines)")
    );
}

#[test]
fn a_line_that_the_byte_limit_cut_is_read_on_by_column() {
    let cut = CutLine {
        line: 1,
        next_column: 6,
    };
    let window = TextWindow {
        cut_lines: vec![cut],
        capped: true,
        total_lines: 9,
        ..window("cd\n")
    };
    let text = lines(
        "/w/a",
        &window,
        &ReadWindow {
            first_column: 4,
            ..WANTED
        },
    );
    assert!(
        text.contains("\n1: cd... (line truncated to 2 chars)\n"),
        "{text}"
    );
    assert!(
        text.contains("(Output capped. Showing lines 1-1. Use offset=1 column=6 to continue.)")
    );
    assert!(text.contains("(Line 1 is shown from column 4.)"));
}

#[test]
fn facts_stand_behind_the_footer() {
    let facts = |window| lines("/w/a", &window, &WANTED);
    let plain = window("a\nb\n");
    assert!(facts(plain.clone()).ends_with("2: b\n\n(End of file - total 2 lines)\n</content>"));
    let mixed = TextWindow {
        line_endings: LineEndings::Mixed,
        final_newline: false,
        ..plain
    };
    assert!(facts(mixed).contains("mixed, LF and CRLF.)\n(No newline at end of file)\n</content>"));
}

#[test]
fn an_empty_file_has_a_footer() {
    assert!(
        lines("/w/a", &window(""), &WANTED)
            .ends_with("<content>\n\n(End of file - total 0 lines)\n</content>")
    );
}
