//! How lines end: LF, or CR and LF. Any other carriage return is data.

use memchr::memchr;

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
        let newlines = memchr::memchr_iter(b'\n', piece).count();
        self.newlines += newlines as u64;
        if newlines > 0 && !(self.lf && self.crlf) {
            let across = usize::from(self.after_cr && piece[0] == b'\n');
            let crlf = across + count_crlf(piece);
            self.crlf |= crlf > 0;
            self.lf |= newlines > crlf;
        }
        self.after_cr = last == b'\r';
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

/// Counts CR LF pairs. Blocks of 255 let the compiler keep the sums in bytes.
fn count_crlf(bytes: &[u8]) -> usize {
    let Some(first) = memchr(b'\r', bytes) else {
        return 0;
    };
    let (cr, lf) = (&bytes[first..bytes.len() - 1], &bytes[first + 1..]);
    cr.chunks(255)
        .zip(lf.chunks(255))
        .map(|(cr, lf)| usize::from(pairs_in_block(cr, lf)))
        .sum()
}

/// Counts the places of two blocks of at most 255 bytes that hold CR and LF.
fn pairs_in_block(cr: &[u8], lf: &[u8]) -> u8 {
    cr.iter()
        .zip(lf)
        .map(|(&cr, &lf)| u8::from(cr == b'\r') & u8::from(lf == b'\n'))
        .sum()
}
