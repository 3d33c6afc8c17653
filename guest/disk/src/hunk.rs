//! The changed region of two texts: from the first line that differs to the last one, with
//! lines of context around it. One region is enough to show what one change did.

use crate::bindings::dsh::fs::types::Hunk;

const CONTEXT: usize = 3;

/// The most bytes of a region on either side.
const MOST_BYTES: usize = 64 << 10;

/// The region, and whether it was left out for its size. A new file has none.
pub(crate) fn hunks(before: Option<&str>, after: &str) -> (Vec<Hunk>, bool) {
    let Some(before) = before.filter(|before| *before != after) else {
        return (Vec::new(), false);
    };
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let same = |(old, new): &(&&str, &&str)| old == new;
    let head = old.iter().zip(&new).take_while(same).count();
    let shorter = old.len().min(new.len());
    let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = ends.take_while(same).count().min(shorter - head);
    let start = head.saturating_sub(CONTEXT);
    let side = |lines: &[&str]| lines[start..lines.len() - tail.saturating_sub(CONTEXT)].concat();
    let (old_text, new_text) = (side(&old), side(&new));
    if old_text.len() > MOST_BYTES || new_text.len() > MOST_BYTES {
        return (Vec::new(), true);
    }
    let line = u32::try_from(start + 1).unwrap_or(u32::MAX);
    let hunk = Hunk {
        old_start: line,
        new_start: line,
        old_text,
        new_text,
    };
    (vec![hunk], false)
}
