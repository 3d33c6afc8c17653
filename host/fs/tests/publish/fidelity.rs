//! Bytes that nobody asked for do not change, on real files and under a guard.

use std::fs;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::provider::Provider;
use dsh_fs::types::{EditGuard, ReadWindow, WriteGuard};

use crate::tree::{Tree, code, edit};

/// Before, old text, new text, whether all, after.
type Row = (&'static str, &'static str, &'static str, bool, &'static str);

const KEPT: [Row; 19] = [
    ("\u{FEFF}one\ntwo\n", "one", "1", false, "\u{FEFF}1\ntwo\n"),
    (
        "\u{FEFF}a\r\nb",
        "\u{FEFF}a\nb",
        "x\ny",
        false,
        "\u{FEFF}x\r\ny",
    ),
    ("a\r\nb\nc\r\nd", "b", "B", false, "a\r\nB\nc\r\nd"),
    (
        "a\r\nb\nc\r\nd",
        "c",
        "c\nnew",
        false,
        "a\r\nb\nc\r\nnew\r\nd",
    ),
    ("a\r\r\nb\r\r\n", "b", "c", false, "a\r\r\nc\r\r\n"),
    ("10%\r20%\nend\n", "end", "END", false, "10%\r20%\nEND\n"),
    ("10%\r20%\r\n", "\r2", "\r3", false, "10%\r30%\r\n"),
    ("no end", "no", "an", false, "an end"),
    ("an end\n", "an", "no", false, "no end\n"),
    ("two\n\n", "two", "2", false, "2\n\n"),
    (
        "a\u{2028}b\u{2029}c\u{85}d\n",
        "d",
        "e",
        false,
        "a\u{2028}b\u{2029}c\u{85}e\n",
    ),
    ("e\u{301} \u{e9}\n", "\u{e9}", "E", false, "e\u{301} E\n"),
    (
        "a\r\nb\r\nc\r\n",
        "a\nb",
        "x\ny\nz",
        false,
        "x\r\ny\r\nz\r\nc\r\n",
    ),
    ("a\nb\nc\n", "a\r\nb", "x\r\ny", false, "x\ny\nc\n"),
    ("a\r\nb\r\n", "\r\n", "\n", true, "a\nb\n"),
    ("a\nb\r\n", "a\n", "a\r\n", false, "a\r\nb\r\n"),
    ("a\r\nb\n", "a\r", "a", false, "a\nb\n"),
    ("a\r\nb\r\n", "\r", "", true, "a\nb\n"),
    ("a \t\r\nb\u{a0}\n", "b", "c", false, "a \t\r\nc\u{a0}\n"),
];

/// Fails when `pieces` of `publish/edit.rs` leaves the mark out, or when `dsh_fs_text`
/// does not fit endings in.
#[test]
fn only_what_is_replaced_changes() {
    for (before, old, new, all, after) in KEPT {
        let tree = Tree::quick();
        tree.put("a", before);
        let guard = EditGuard::IfVersion(tree.version("a"));
        let made = tree
            .edit_with("a", &edit(old, new, all), &guard, &Cancel::new())
            .unwrap_or_else(|error| panic!("{before:?} {old:?}: {error}"));
        assert_eq!(tree.content("a"), after, "{before:?} {old:?}");
        assert_eq!(made.version, tree.version("a"));
    }
}

/// Composed and decomposed characters, and white space, are not taken for each other.
#[test]
fn what_only_looks_alike_is_not_found() {
    for (content, old) in [
        ("\u{e9}\n", "e\u{301}"),
        ("e\u{301}x\n", "\u{e9}x"),
        ("a\u{a0}b\n", "a b"),
        ("a\u{2028}b\n", "a\nb"),
        ("a\rb\n", "a\nb"),
        ("\u{212b}\n", "\u{c5}"),
    ] {
        let tree = Tree::quick();
        tree.put("a", content);
        assert_eq!(code(tree.edit("a", old, "-")), Code::EditNotFound);
        assert_eq!(tree.content("a"), content);
    }
}

/// A NUL or a broken character far behind the edited place is found first. Fails when
/// `EditJob::plan` does not check the whole content.
#[test]
fn a_late_fault_leaves_the_file() {
    for fault in [&b"\0"[..], b"\xff", b"\xed\xa0\x80"] {
        let tree = Tree::quick();
        let content = [b"old\n", &vec![b'x'; 300_000][..], fault].concat();
        let path = tree.put("a", &content);
        assert_eq!(code(tree.edit("a", "old", "new")), Code::NotText);
        assert!(fs::read(path).expect("there") == content);
    }
}

/// Whole texts are stored as given.
#[test]
fn a_text_is_written_as_given() {
    for text in [
        "",
        "\u{FEFF}",
        "a\r\nb\nc\r",
        "\n\n",
        "e\u{301}\u{2028}",
        "\r\r\n",
    ] {
        let tree = Tree::quick();
        tree.create("new", text).expect("created");
        tree.put("a", "one\r\ntwo\r\n");
        let guard = WriteGuard::ReplaceIfVersion(tree.version("a"));
        tree.write("a", text, &guard).expect("replaced");
        assert_eq!(
            (tree.content("new"), tree.content("a")),
            (text.into(), text.into())
        );
    }
}

/// Only LF ends a line of a window; every other character is part of one.
#[test]
fn other_separators_end_no_line() {
    let tree = Tree::quick();
    tree.put("a", "a\u{2028}b\u{85}c\rd\r\ne\u{b}f\u{c}g");
    let window = ReadWindow {
        first_line: 1,
        first_column: 1,
        max_lines: 10,
        max_bytes: 1 << 10,
        max_line_chars: 100,
    };
    let read = tree
        .fs
        .read_window(&tree.target("a"), &window, &Cancel::new());
    let read = read.expect("it is text");
    assert_eq!((read.total_lines, read.final_newline), (2, false));
    assert_eq!(read.text, "a\u{2028}b\u{85}c\rd\ne\u{b}f\u{c}g\n");
}
