//! Lines of a diff for people: few, short, and with everything written out that could
//! move the cursor or hide what follows.

use std::ops::Range;
use std::time::Duration;

use dsh_fs::name::shown;
use similar::{ChangeTag, TextDiff};

use crate::wording::NO_LINE_ENDING;

/// The most lines.
const MOST_LINES: usize = 40;
/// The most bytes of all lines together.
const MOST_BYTES: usize = 4096;
/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;
/// How long it may look for the smallest difference; after that it takes a coarser one.
const DEADLINE: Duration = Duration::from_millis(200);

/// Lines, and whether something was left out.
pub(super) type Lines = (Vec<String>, bool);

/// The regions in which two contents of a file differ, with their places.
pub(super) fn difference(old: &str, new: &str) -> Lines {
    regions(old, new, |old, new| {
        format!("@@ -{} +{} @@", span(old), span(new))
    })
}

fn regions(old: &str, new: &str, heading: impl Fn(Range<usize>, Range<usize>) -> String) -> Lines {
    let diff = TextDiff::configure().timeout(DEADLINE).diff_lines(old, new);
    let mut sheet = Sheet::default();
    for group in diff.grouped_ops(CONTEXT) {
        let (first, last) = (group[0], group[group.len() - 1]);
        let old = first.old_range().start..last.old_range().end;
        let new = first.new_range().start..last.new_range().end;
        sheet.push_plain(heading(old, new));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            if !sheet.push(sign, change.value()) {
                return sheet.done();
            }
        }
    }
    sheet.done()
}

/// A text that is new as a whole.
pub(super) fn added(text: &str) -> Lines {
    let mut sheet = Sheet::default();
    sheet.push_all('+', text);
    sheet.done()
}

/// One text in the place of another. Where it lies in the file is not known: its line
/// numbers say nothing, and a line that it does not end is ended by what follows it there.
pub(super) fn replaced(old: &str, new: &str, most_compared: usize) -> Lines {
    if old.len().max(new.len()) <= most_compared {
        let end = match old.ends_with('\n') || new.ends_with('\n') {
            true => "",
            false => "\n",
        };
        return regions(&format!("{old}{end}"), &format!("{new}{end}"), |_, _| {
            "@@".into()
        });
    }
    let mut sheet = Sheet::default();
    if sheet.push_all('-', old) {
        sheet.push_all('+', new);
    }
    sheet.done()
}

/// Lines from 1, as a unified diff has them.
fn span(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        count => format!("{},{count}", lines.start + 1),
    }
}

/// Lines as far as there is room.
#[derive(Default)]
struct Sheet {
    lines: Vec<String>,
    bytes: usize,
    cut: bool,
}

impl Sheet {
    /// Adds a line of a text; answers whether there was room for all of it.
    fn push(&mut self, sign: char, line: &str) -> bool {
        let (bare, ended) = match line.strip_suffix('\n') {
            Some(bare) => (bare, true),
            None => (line, false),
        };
        self.push_bounded(sign, bare) && (ended || self.push_plain(NO_LINE_ENDING.into()))
    }

    fn push_all(&mut self, sign: char, text: &str) -> bool {
        text.split_inclusive('\n').all(|line| self.push(sign, line))
    }

    /// A line longer than the room is cut: nothing may be looked at past it.
    fn push_bounded(&mut self, sign: char, line: &str) -> bool {
        let left = MOST_BYTES.saturating_sub(self.bytes);
        let part = &line[..line.floor_char_boundary(left)];
        // A tab hides nothing, and most sources are full of them.
        let shown: Vec<_> = part.split('\t').map(shown).collect();
        let text = format!("{sign}{}", shown.join("\t"));
        let kept = text.floor_char_boundary(left);
        let whole = part.len() == line.len() && kept == text.len();
        let room = self.push_plain(text[..kept].to_owned());
        self.cut |= !whole;
        room && whole
    }

    fn push_plain(&mut self, line: String) -> bool {
        let room = self.lines.len() < MOST_LINES && self.bytes + line.len() <= MOST_BYTES;
        if room {
            self.bytes += line.len();
            self.lines.push(line);
        }
        self.cut |= !room;
        room
    }

    fn done(self) -> Lines {
        (self.lines, self.cut)
    }
}
