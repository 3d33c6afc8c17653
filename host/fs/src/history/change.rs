//! What changed between two contents, as a few numbered lines that a model can read.

use std::ops::Range;

use similar::{DiffOp, DiffTag, TextDiff};

use crate::diff::DEADLINE;
use crate::name::shown;

/// The most lines.
const MOST_LINES: usize = 20;
/// The most bytes.
const MOST_BYTES: usize = 2048;
/// The most lines of one side of one change: the other side is to be seen too.
const MOST_OF_A_SIDE: usize = 8;
/// The most characters of one line.
const MOST_CHARACTERS: usize = 160;
/// Unchanged lines around a change.
const CONTEXT: usize = 1;

/// The changed lines; `None` where one of the two is not text.
pub(super) fn between(old: &[u8], new: &[u8]) -> Option<String> {
    let (old, new) = (
        std::str::from_utf8(old).ok()?,
        std::str::from_utf8(new).ok()?,
    );
    // A line ends where a read ends it, so that the numbers are the same.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::configure()
        .timeout(DEADLINE)
        .diff_slices(&old, &new);
    let mut page = Page::new();
    let groups = diff.grouped_ops(CONTEXT);
    for (index, ops) in groups.iter().enumerate() {
        if index > 0 {
            page.add("  ...");
        }
        ops.iter().for_each(|op| page.change(&diff, op));
    }
    Some(page.finish())
}

/// Lines up to the limits.
struct Page {
    text: String,
    lines: usize,
    full: bool,
}

impl Page {
    fn new() -> Self {
        Self {
            text: String::from("What changed since it was seen (- then, + now):"),
            lines: 0,
            full: false,
        }
    }

    fn change<'t>(&mut self, diff: &TextDiff<'t, 't, str>, op: &DiffOp) {
        let (tag, old, new) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            return self.side(' ', new, |line| diff.new_slice(line));
        }
        self.side('-', old, |line| diff.old_slice(line));
        self.side('+', new, |line| diff.new_slice(line));
    }

    fn side<'t>(
        &mut self,
        sign: char,
        lines: Range<usize>,
        line: impl Fn(usize) -> Option<&'t str>,
    ) {
        let last = lines.end.min(lines.start.saturating_add(MOST_OF_A_SIDE));
        for index in lines.start..last {
            let text = line(index).unwrap_or_default();
            self.add(&format!("{sign} {}: {}", index + 1, bounded(text)));
        }
        if last < lines.end {
            self.add(&format!("{sign} ... {} more lines", lines.end - last));
        }
    }

    fn add(&mut self, line: &str) {
        self.full |= self.lines == MOST_LINES || self.text.len() + 1 + line.len() > MOST_BYTES;
        if self.full {
            return;
        }
        self.text.push('\n');
        self.text.push_str(line);
        self.lines += 1;
    }

    fn finish(mut self) -> String {
        if self.full {
            self.text.push_str("\n  ... and more");
        }
        self.text
    }
}

/// A line on one line, with nothing in it that could move the cursor.
fn bounded(line: &str) -> String {
    let (text, ending) = match line.strip_suffix('\n') {
        Some(text) => (text, ""),
        None => (line, " (no newline)"),
    };
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(MOST_CHARACTERS).collect();
    let rest = if characters.next().is_some() {
        "..."
    } else {
        ""
    };
    format!("{}{rest}{ending}", shown(&start))
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, MOST_LINES, between};

    fn lines(old: &str, new: &str) -> Vec<String> {
        let text = between(old.as_bytes(), new.as_bytes()).expect("both are text");
        text.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn changed_lines_are_numbered_and_stand_in_context() {
        let found = lines("a\nb\nc\nd\n", "a\nB\nc\nd\n");
        assert_eq!(found, ["  1: a", "- 2: b", "+ 2: B", "  3: c"]);
        assert_eq!(lines("a\n", "a"), ["- 1: a", "+ 1: a (no newline)"]);
        assert_eq!(lines("a\r\n", "a\n"), ["- 1: a\\r", "+ 1: a"]);
        assert_eq!(lines("a\rb\n", "c\n"), ["- 1: a\\rb", "+ 1: c"]);
    }

    /// Fails when `shown` is taken out of `bounded`.
    #[test]
    fn what_could_move_the_cursor_is_escaped() {
        let found = lines("a\n", "\u{1b}[2J\u{202e}\n");
        assert_eq!(found[1], "+ 1: \\u{1b}[2J\\u{202e}");
    }

    /// Fails when a limit is taken out of `add` or `side`.
    #[test]
    fn much_is_cut() {
        let old: String = (0..500).map(|line| format!("{line}\n")).collect();
        let found = lines(&old, &old.replace('1', "x"));
        assert_eq!(found.len(), MOST_LINES + 1);
        let wide = format!("{}\n", "\u{1b}".repeat(150)).repeat(500);
        assert!(lines("", &wide).join("\n").len() < MOST_BYTES + 40);
        let found = lines(&old, "one\n");
        assert_eq!(found[8..], ["- ... 492 more lines", "+ 1: one"]);
        assert!(between(b"\xff", b"a").is_none());
    }
}
