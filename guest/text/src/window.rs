//! A window of lines out of a text of any size, in memory that only the window bounds.
//!
//! Lines end at LF, and one CR directly before it belongs to the ending; a CR at the very
//! end of the text counts as the ending of the last line for showing, and is left out.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr_iter;

use crate::endings::{LineEndings, Tally};
use crate::line::{Cut, Line, LineLimits};

/// The part that is wanted. A zero in a field that counts from 1 stands for 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The first line, counted from 1.
    pub first_line: u32,
    /// The character of the first line to begin at, counted from 1.
    pub first_column: u32,
    /// The most lines.
    pub max_lines: u32,
    /// The most bytes of text, the line feeds between lines counted. The first line is
    /// cut to it rather than left out.
    pub max_bytes: u32,
    /// The most characters of one line; at least 1.
    pub max_line_chars: u32,
}

/// A line that is longer than what was returned of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutLine {
    /// The line, counted from 1.
    pub line: u32,
    /// The first character that was not returned, counted from 1.
    pub next_column: u32,
}

/// A window, and what was learned about the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lines, each ended by one line feed.
    pub text: String,
    /// The first line returned.
    pub first_line: u32,
    /// How many lines are returned.
    pub line_count: u32,
    /// How many lines the text has; a final line ending does not make another.
    pub total_lines: u32,
    /// Whether the byte limit ended the window.
    pub capped: bool,
    /// The lines that were cut, in order.
    pub cut_lines: Vec<CutLine>,
    /// How the lines of the whole text end.
    pub line_endings: LineEndings,
    /// Whether the last line has an ending.
    pub final_newline: bool,
}

/// Reads a text piece by piece and keeps one window of it.
#[derive(Debug)]
pub struct WindowReader {
    wanted: Wanted,
    tally: Tally,
    /// The line that the next byte belongs to, counted from 1, while it matters.
    line_number: u64,
    line: Option<Line>,
    line_start: usize,
    held_cr: bool,
    last_byte: Option<u8>,
    done: bool,
    window: Window,
}

impl WindowReader {
    /// A reader at the start of a text.
    #[must_use]
    pub fn new(mut wanted: Wanted) -> Self {
        wanted.first_line = wanted.first_line.max(1);
        wanted.first_column = wanted.first_column.max(1);
        wanted.max_line_chars = wanted.max_line_chars.max(1);
        Self {
            wanted,
            tally: Tally::default(),
            line_number: 1,
            line: None,
            line_start: 0,
            held_cr: false,
            last_byte: None,
            done: wanted.max_lines == 0,
            window: Window {
                text: String::new(),
                first_line: wanted.first_line,
                line_count: 0,
                total_lines: 0,
                capped: false,
                cut_lines: Vec::new(),
                line_endings: LineEndings::None,
                final_newline: false,
            },
        }
    }

    /// Takes the next piece of the text in. Pieces may end anywhere between characters.
    pub fn feed(&mut self, piece: &str) {
        let Some(&last) = piece.as_bytes().last() else {
            return;
        };
        let lines_before = self.tally.newlines();
        self.tally.feed(piece.as_bytes());
        self.last_byte = Some(last);
        if self.done || self.tally.newlines() + 1 < u64::from(self.wanted.first_line) {
            return;
        }
        if self.line.is_none() && self.window.line_count == 0 {
            self.line_number = lines_before + 1;
        }
        if let Some(start) = self.start_of_window(piece) {
            self.keep(&piece[start..]);
        }
    }

    /// Ends the text.
    #[must_use]
    pub fn finish(mut self) -> Window {
        if !self.done && self.line.is_some() {
            self.end_line();
        }
        let open_line = self.last_byte.is_some_and(|last| last != b'\n');
        let lines = self.tally.newlines() + u64::from(open_line);
        self.window.total_lines = u32::try_from(lines).unwrap_or(u32::MAX);
        self.window.line_endings = self.tally.kind();
        self.window.final_newline = self.last_byte == Some(b'\n');
        self.window
    }

    /// Where in this piece the window begins or goes on; nothing where it does neither.
    fn start_of_window(&mut self, piece: &str) -> Option<usize> {
        let first = u64::from(self.wanted.first_line);
        if self.line_number >= first {
            return Some(0);
        }
        let skip = usize::try_from(first - self.line_number - 1).ok()?;
        let newline = memchr_iter(b'\n', piece.as_bytes()).nth(skip)?;
        self.line_number = first;
        Some(newline + 1)
    }

    /// Keeps what the window wants of a text that begins inside it.
    fn keep(&mut self, text: &str) {
        let mut start = 0;
        for newline in memchr_iter(b'\n', text.as_bytes()) {
            let line = &text[start..newline];
            if !self.take_short_line(line) {
                self.take(line);
                self.end_line();
            }
            if self.done {
                return;
            }
            start = newline + 1;
        }
        if start < text.len() {
            self.take(&text[start..]);
        }
    }

    /// Takes in a whole line to which no limit applies, as nearly all are: its bytes are
    /// no more than the characters that it may have, so that nothing has to be counted.
    /// Answers whether it did.
    fn take_short_line(&mut self, line: &str) -> bool {
        let limits = self.line_limits();
        let most = limits
            .bytes
            .min(usize::try_from(limits.chars).unwrap_or(usize::MAX));
        if self.line.is_some() || limits.skip > 0 || line.len() >= most {
            return false;
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        self.window.text.push_str(line);
        self.accept(&Line::new(limits));
        true
    }

    /// Takes a part of the current line in. A CR at its end is held back until it is
    /// known whether it belongs to an ending.
    fn take(&mut self, part: &str) {
        let limits = self.line_limits();
        let line = self.line.get_or_insert_with(|| Line::new(limits));
        if part.is_empty() {
            return;
        }
        if core::mem::take(&mut self.held_cr) {
            line.take("\r", &mut self.window.text);
        }
        let data = part.strip_suffix('\r').unwrap_or(part);
        self.held_cr = data.len() < part.len();
        line.take(data, &mut self.window.text);
    }

    /// What is wanted of the current line. Only the first one has a column, and only
    /// the first one is cut to the byte limit; a later one may take one byte more than
    /// there is room for, which shows that it does not fit.
    fn line_limits(&self) -> LineLimits {
        let max_bytes = usize::try_from(self.wanted.max_bytes).unwrap_or(usize::MAX);
        let first = self.window.line_count == 0;
        LineLimits {
            skip: if first {
                self.wanted.first_column - 1
            } else {
                0
            },
            chars: self.wanted.max_line_chars,
            bytes: max_bytes.saturating_sub(self.window.text.len()),
        }
    }

    /// Decides about the current line, now that all of it has come in.
    fn end_line(&mut self) {
        self.held_cr = false;
        let Some(line) = self.line.take() else { return };
        let first = self.window.line_count == 0;
        if !first && self.over_limit(&line) {
            self.window.text.truncate(self.line_start);
            self.window.capped = true;
            self.done = true;
            return;
        }
        self.accept(&line);
    }

    /// Whether a line that is not the first goes over the byte limit.
    fn over_limit(&self, line: &Line) -> bool {
        let used = u64::try_from(self.window.text.len()).unwrap_or(u64::MAX);
        line.cut() == Cut::Bytes || used > u64::from(self.wanted.max_bytes)
    }

    /// Makes the current line a line of the window.
    fn accept(&mut self, line: &Line) {
        if line.cut() != Cut::No {
            self.window.cut_lines.push(CutLine {
                line: self
                    .wanted
                    .first_line
                    .saturating_add(self.window.line_count),
                next_column: line.next_column(),
            });
        }
        self.window.text.push('\n');
        self.window.line_count += 1;
        self.line_start = self.window.text.len();
        self.window.capped = line.cut() == Cut::Bytes;
        self.done = self.window.capped || self.window.line_count == self.wanted.max_lines;
    }
}
