//! How much an answer of a component takes once it is JSON: a component that answers with
//! millions of empty lines, or with one long path for many regions, sends little and would
//! have the host hold a multiple of it.

use dsh_fs::types::{DirEntry, Hunk, Target};

use crate::verbs::{ChangeAnswer, ListAnswer, ReadAnswer};

/// About what one line, entry or region takes beside its texts, in bytes.
const PIECE: usize = 256;

/// An answer that can be weighed before anything is made of it.
pub(crate) trait Weight {
    /// About the bytes of the answer as JSON; never less than its texts.
    fn weight(&self) -> usize;
}

impl Weight for ReadAnswer {
    fn weight(&self) -> usize {
        let lines = self.window.text.bytes().filter(|byte| *byte == b'\n');
        let pieces = lines.count() + self.window.cut_lines.len();
        (self.text.len() + self.window.text.len())
            .saturating_add(pieces.saturating_mul(PIECE))
            .saturating_add(of_target(&self.target))
    }
}

impl Weight for ListAnswer {
    fn weight(&self) -> usize {
        let entries = self.entries.iter().map(of_entry);
        (self.text.len() + of_target(&self.target)).saturating_add(total(entries))
    }
}

impl Weight for ChangeAnswer {
    fn weight(&self) -> usize {
        let mutation = &self.mutation;
        // Each region is shown with the path.
        let path = mutation.target.display.len();
        let hunks = mutation.hunks.iter().map(|hunk| path + of_hunk(hunk));
        let texts = [&mutation.before, &mutation.after, &mutation.grade_reason];
        let texts = texts.map(|text| text.as_ref().map_or(0, String::len));
        (self.text.len() + of_target(&mutation.target))
            .saturating_add(total(hunks))
            .saturating_add(total(texts))
    }
}

fn of_entry(entry: &DirEntry) -> usize {
    let trouble = entry.trouble.as_ref().map_or(0, String::len);
    PIECE + entry.name.len() + of_target(&entry.target) + trouble
}

fn of_hunk(hunk: &Hunk) -> usize {
    PIECE + hunk.old_text.len() + hunk.new_text.len()
}

fn of_target(target: &Target) -> usize {
    target.key.len() + target.display.len()
}

fn total(parts: impl IntoIterator<Item = usize>) -> usize {
    parts.into_iter().fold(0, usize::saturating_add)
}
