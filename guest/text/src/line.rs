//! One line of a window while it comes in: skipped up to a column, cut after a limit.

use alloc::string::String;

/// How much of a line is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineLimits {
    /// Characters to skip at the start.
    pub(crate) skip: u32,
    /// The most characters.
    pub(crate) chars: u32,
    /// The most bytes; at least one character is taken whatever this says.
    pub(crate) bytes: usize,
}

/// Why a line was cut, if it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The line is complete.
    No,
    /// It had more characters than the limit.
    Chars,
    /// It had more bytes than the limit.
    Bytes,
}

/// A line that comes in piece by piece.
#[derive(Debug)]
pub(crate) struct Line {
    limits: LineLimits,
    skipped: u32,
    taken: u32,
    bytes: usize,
    cut: Cut,
}

impl Line {
    /// The start of a line.
    pub(crate) fn new(limits: LineLimits) -> Self {
        Self {
            limits,
            skipped: 0,
            taken: 0,
            bytes: 0,
            cut: Cut::No,
        }
    }

    /// Appends to `out` what is wanted of the next piece.
    pub(crate) fn take(&mut self, piece: &str, out: &mut String) {
        if self.cut != Cut::No {
            return;
        }
        let piece = self.after_skipped(piece);
        let (whole, chars) = prefix_of_chars(piece, self.limits.chars - self.taken);
        let fitting = self.fitting_bytes(whole);
        if fitting.len() < whole.len() {
            self.cut = Cut::Bytes;
            self.taken += prefix_of_chars(fitting, u32::MAX).1;
        } else {
            self.taken += chars;
            if whole.len() < piece.len() {
                self.cut = Cut::Chars;
            }
        }
        self.bytes += fitting.len();
        out.push_str(fitting);
    }

    /// Why the line was cut, if it was.
    pub(crate) fn cut(&self) -> Cut {
        self.cut
    }

    /// The first character that was not taken, counted from 1.
    pub(crate) fn next_column(&self) -> u32 {
        self.skipped.saturating_add(self.taken).saturating_add(1)
    }

    fn after_skipped<'a>(&mut self, piece: &'a str) -> &'a str {
        if self.skipped == self.limits.skip {
            return piece;
        }
        let (skipped, chars) = prefix_of_chars(piece, self.limits.skip - self.skipped);
        self.skipped += chars;
        &piece[skipped.len()..]
    }

    /// As much as the byte limit allows, at a character boundary, but one character at
    /// the start of a line: a window must make progress.
    fn fitting_bytes<'a>(&self, text: &'a str) -> &'a str {
        let room = self.limits.bytes.saturating_sub(self.bytes);
        if text.len() <= room {
            return text;
        }
        let fitting = text.floor_char_boundary(room);
        if fitting == 0 && self.taken == 0 {
            return &text[..text.ceil_char_boundary(1)];
        }
        &text[..fitting]
    }
}

/// The first `most` characters of a text, and how many they are.
fn prefix_of_chars(text: &str, most: u32) -> (&str, u32) {
    let limit = usize::try_from(most).unwrap_or(usize::MAX);
    if text.len() <= limit {
        let chars = text.chars().count();
        return (text, u32::try_from(chars).unwrap_or(u32::MAX));
    }
    match text.char_indices().nth(limit) {
        Some((end, _)) => (&text[..end], most),
        None => {
            let chars = text.chars().count();
            (text, u32::try_from(chars).unwrap_or(u32::MAX))
        }
    }
}
