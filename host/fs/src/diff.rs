//! Changed regions of a text, for people to look at. Bounded in time, so that a success
//! is never kept waiting for its picture.

use std::time::Duration;

use similar::{DiffOp, TextDiff};

use crate::types::Hunk;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// How long it may look for the smallest difference; after that it takes a coarser one.
pub(crate) const DEADLINE: Duration = Duration::from_millis(200);

/// Changed regions in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunks {
    /// The regions.
    pub(crate) hunks: Vec<Hunk>,
    /// Whether there are more than these.
    pub(crate) cut: bool,
}

/// The regions in which two texts differ, at most `max` of them.
pub(crate) fn hunks(old: &str, new: &str, max: usize) -> Hunks {
    let diff = TextDiff::configure().timeout(DEADLINE).diff_lines(old, new);
    let groups = diff.grouped_ops(CONTEXT);
    let hunks = groups
        .iter()
        .take(max)
        .map(|ops| hunk(&diff, ops))
        .collect();
    Hunks {
        hunks,
        cut: groups.len() > max,
    }
}

fn hunk(diff: &TextDiff<'_, '_, str>, ops: &[DiffOp]) -> Hunk {
    let (first, last) = (ops[0], ops[ops.len() - 1]);
    let old = first.old_range().start..last.old_range().end;
    let new = first.new_range().start..last.new_range().end;
    let old_lines = old.clone().filter_map(|line| diff.old_slice(line));
    let new_lines = new.clone().filter_map(|line| diff.new_slice(line));
    let (old_text, new_text) = without_last_ending(old_lines.collect(), new_lines.collect());
    Hunk {
        old_start: number(old.start),
        new_start: number(new.start),
        old_text,
        new_text,
    }
}

/// A region is shown without its last line ending; it stays where the two sides differ in
/// nothing else.
fn without_last_ending(mut old: String, mut new: String) -> (String, String) {
    let (old_length, new_length) = (bare(&old).len(), bare(&new).len());
    if old[..old_length] != new[..new_length] {
        old.truncate(old_length);
        new.truncate(new_length);
    }
    (old, new)
}

fn bare(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

/// Lines are counted from 1.
fn number(index: usize) -> u32 {
    u32::try_from(index).map_or(u32::MAX, |index| index.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::{Hunks, hunks};

    fn texts(old: &str, new: &str) -> Vec<(u32, String, u32, String)> {
        let found = hunks(old, new, 10);
        assert!(!found.cut);
        found
            .hunks
            .into_iter()
            .map(|hunk| (hunk.old_start, hunk.old_text, hunk.new_start, hunk.new_text))
            .collect()
    }

    /// The case `tool-write-meta`.
    #[test]
    fn three_lines_of_context() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let found = texts(old, &old.replace('5', "X"));
        let (old, new) = ("2\n3\n4\n5\n6\n7\n8", "2\n3\n4\nX\n6\n7\n8");
        assert_eq!(found, [(2, old.to_owned(), 2, new.to_owned())]);
        assert_eq!(texts("same\n", "same\n"), []);
    }

    #[test]
    fn a_change_of_the_last_ending_alone_can_be_seen() {
        let found = texts("a", "a\n");
        assert_eq!(found, [(1, "a".to_owned(), 1, "a\n".to_owned())]);
    }

    #[test]
    fn too_many_are_cut() {
        let old: String = (0..100).map(|line| format!("{line}\n")).collect();
        let new: String = (0..100)
            .map(|line| format!("{}\n", line - line % 20))
            .collect();
        let Hunks { hunks, cut } = hunks(&old, &new, 0);
        assert!(hunks.is_empty() && cut);
    }

    /// Fails when the deadline is taken away: it takes many times as long without.
    #[test]
    fn two_unlike_texts_do_not_take_long() {
        // The same lines in another order: there is much to match, and no way to do it.
        let text = |step: u64| -> String {
            let lines = (0..131_071_u64).map(|line| line.wrapping_mul(step) % 131_071);
            lines.map(|line| format!("{line}\n")).collect()
        };
        let begun = std::time::Instant::now();
        hunks(&text(3), &text(40_503), 10);
        assert!(begun.elapsed() < std::time::Duration::from_secs(3));
    }
}
