//! Which lines of a file a session has read, as long as it has not read all of them. A
//! model that replaces such a file is told so.

use std::collections::VecDeque;

use crate::bindings::dsh::fs::types::TextWindow;

/// The most files that are remembered; then the oldest is forgotten.
const MOST_FILES: usize = 64;
/// The most separate ranges of one file; then the first ones are forgotten.
const MOST_RANGES: usize = 16;

/// The files that were read in part, the oldest first.
#[derive(Clone, Default)]
pub(crate) struct SeenLines {
    files: VecDeque<PartlySeen>,
}

/// What was read of one file.
#[derive(Clone)]
pub(crate) struct PartlySeen {
    key: String,
    version: String,
    /// How many lines the file had.
    pub(crate) total: u32,
    /// First and last lines, in order, apart from each other.
    pub(crate) ranges: Vec<(u32, u32)>,
}

impl SeenLines {
    /// Takes in what was read.
    pub(crate) fn read(&mut self, key: &str, window: &TextWindow) {
        let known = self.take(key).filter(|file| file.version == window.version);
        if window.line_count == window.total_lines {
            return;
        }
        let mut file = known.unwrap_or_else(|| PartlySeen {
            key: key.to_owned(),
            version: window.version.clone(),
            total: window.total_lines,
            ranges: Vec::new(),
        });
        file.add(window);
        if file.ranges != [(1, file.total)] {
            self.keep(file);
        }
    }

    /// Follows a file that was edited: what was read of it stays read.
    pub(crate) fn edited(&mut self, key: &str, version: &str) {
        if let Some(file) = self.files.iter_mut().find(|file| file.key == key) {
            version.clone_into(&mut file.version);
        }
    }

    /// What was read of a file, if not all. It is forgotten.
    pub(crate) fn take(&mut self, key: &str) -> Option<PartlySeen> {
        let index = self.files.iter().position(|file| file.key == key)?;
        self.files.remove(index)
    }

    fn keep(&mut self, file: PartlySeen) {
        if self.files.len() == MOST_FILES {
            self.files.pop_front();
        }
        self.files.push_back(file);
    }
}

impl PartlySeen {
    /// Adds the lines of a window; ranges that touch become one.
    fn add(&mut self, window: &TextWindow) {
        if window.line_count == 0 {
            return;
        }
        let (mut first, mut last) = (
            window.first_line,
            window.first_line + (window.line_count - 1),
        );
        self.ranges.retain(|&(from, to)| {
            let touches = from <= last.saturating_add(1) && first <= to.saturating_add(1);
            if touches {
                (first, last) = (first.min(from), last.max(to));
            }
            !touches
        });
        let at = self.ranges.partition_point(|&(from, _)| from < first);
        self.ranges.insert(at, (first, last));
        let surplus = self.ranges.len().saturating_sub(MOST_RANGES);
        self.ranges.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::dsh::fs::types::LineEndings;

    fn window(first_line: u32, last_line: u32) -> TextWindow {
        TextWindow {
            version: "v".into(),
            text: String::new(),
            first_line,
            line_count: last_line - first_line + 1,
            total_lines: 100,
            capped: false,
            cut_lines: Vec::new(),
            line_endings: LineEndings::Lf,
            final_newline: true,
            byte_order_mark: false,
        }
    }

    #[test]
    fn ranges_grow_together_and_the_whole_is_forgotten() {
        let mut seen = SeenLines::default();
        for (first, last) in [(1, 10), (50, 60), (11, 20), (55, 70)] {
            seen.read("k", &window(first, last));
        }
        assert_eq!(seen.files[0].ranges, [(1, 20), (50, 70)]);
        seen.edited("k", "w");
        seen.read(
            "k",
            &TextWindow {
                version: "w".into(),
                ..window(2, 100)
            },
        );
        assert!(seen.take("k").is_none());
    }

    #[test]
    fn another_version_starts_anew() {
        let mut seen = SeenLines::default();
        seen.read("k", &window(1, 10));
        seen.read(
            "k",
            &TextWindow {
                version: "w".into(),
                ..window(50, 60)
            },
        );
        assert_eq!(seen.take("k").expect("read in part").ranges, [(50, 60)]);
    }
}
