//! How lines end: LF, or CR and LF. Any other carriage return is data.

use memchr::{memchr, memchr_iter};

/// How one line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    Crlf,
}

impl Ending {
    /// The characters of the ending.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::Crlf => "\r\n",
        }
    }

    /// The ending whose line feed is at this place.
    pub(crate) fn at(content: &[u8], line_feed: usize) -> Self {
        match content[..line_feed].last() {
            Some(b'\r') => Self::Crlf,
            _ => Self::Lf,
        }
    }
}

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEndings {
    /// There is no line ending.
    None,
    /// Line feed only.
    Lf,
    /// Carriage return and line feed only.
    Crlf,
    /// Both.
    Mixed,
}

impl LineEndings {
    /// The endings of a whole text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut tally = Tally::default();
        tally.feed(text.as_bytes());
        tally.kind()
    }
}

/// Counts line endings piece by piece, many lines at a time.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    newlines: u64,
    lf: bool,
    crlf: bool,
    after_cr: bool,
}

impl Tally {
    /// Takes the next piece in.
    pub fn feed(&mut self, piece: &[u8]) {
        let Some(&last) = piece.last() else { return };
        let mixed = self.lf && self.crlf;
        if mixed || memchr(b'\r', piece).is_none() {
            self.add_plain(piece);
        } else {
            self.add_with_pairs(piece);
        }
        self.after_cr = last == b'\r';
    }

    /// Takes a piece in that has no CR, or whose pairs do not matter any more.
    fn add_plain(&mut self, piece: &[u8]) {
        let newlines = memchr_iter(b'\n', piece).count();
        let across = self.after_cr && piece[0] == b'\n';
        self.newlines += newlines as u64;
        self.crlf |= across;
        self.lf |= newlines > usize::from(across);
    }

    fn add_with_pairs(&mut self, piece: &[u8]) {
        let across = self.after_cr && piece[0] == b'\n';
        let (newlines, pairs) = count(piece);
        self.newlines += newlines as u64;
        self.crlf |= across || pairs > 0;
        self.lf |= newlines > pairs + usize::from(across);
    }

    /// How many line endings there were.
    #[must_use]
    pub fn newlines(&self) -> u64 {
        self.newlines
    }

    /// Of which kinds they were.
    #[must_use]
    pub fn kind(&self) -> LineEndings {
        match (self.lf, self.crlf) {
            (false, false) => LineEndings::None,
            (true, false) => LineEndings::Lf,
            (false, true) => LineEndings::Crlf,
            (true, true) => LineEndings::Mixed,
        }
    }
}

/// Counts line feeds and CR LF pairs. Blocks of 255 let the compiler keep the sums in bytes.
fn count(bytes: &[u8]) -> (usize, usize) {
    let (Some((&first, after)), Some((_, before))) = (bytes.split_first(), bytes.split_last())
    else {
        return (0, 0);
    };
    let blocks = before.chunks(255).zip(after.chunks(255));
    blocks.fold(
        (usize::from(first == b'\n'), 0),
        |(newlines, pairs), (before, after)| {
            let (more, more_pairs) = count_in_block(before, after);
            (
                newlines + usize::from(more),
                pairs + usize::from(more_pairs),
            )
        },
    )
}

/// Counts in a block of at most 255 bytes, each beside the byte before it.
fn count_in_block(before: &[u8], block: &[u8]) -> (u8, u8) {
    let (mut newlines, mut pairs) = (0, 0);
    for (&before, &byte) in before.iter().zip(block) {
        let newline = u8::from(byte == b'\n');
        newlines += newline;
        pairs += newline & u8::from(before == b'\r');
    }
    (newlines, pairs)
}
