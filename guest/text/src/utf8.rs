//! Whether bytes are text: strict UTF-8 without NUL, checked a piece at a time.

use core::str;

/// The byte order mark of UTF-8, as a character.
pub const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Why bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotText {
    /// There is a NUL.
    Nul,
    /// A sequence is not strict UTF-8, or the last one is not complete.
    InvalidUtf8,
    /// The content begins with the byte order mark of UTF-16, little endian.
    Utf16Le,
    /// The content begins with the byte order mark of UTF-16, big endian.
    Utf16Be,
}

impl NotText {
    /// The reason in a few words, ready for the end of a message.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Nul => "binary file",
            Self::InvalidUtf8 => "invalid UTF-8 text",
            Self::Utf16Le => "UTF-16 (little endian) text, not UTF-8",
            Self::Utf16Be => "UTF-16 (big endian) text, not UTF-8",
        }
    }
}

/// What a piece of bytes gave: first `joined`, then `text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked<'a> {
    /// A character that began in the pieces before.
    pub joined: Option<char>,
    /// The complete characters of this piece. A byte order mark at the start of the
    /// content is in neither.
    pub text: &'a str,
}

/// Checks content piece by piece, in constant memory.
///
/// NUL wins over malformed text within one piece, so pieces should be large (the first
/// at least 8 KiB where there is so much). After an error the checker is of no use.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    pending: [u8; 4],
    pending_len: usize,
    started: bool,
    byte_order_mark: bool,
}

impl Checker {
    /// A checker at the start of some content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks the next piece. A character that is cut off at its end is held back.
    pub fn feed<'a>(&mut self, piece: &'a [u8]) -> Result<Checked<'a>, NotText> {
        self.refuse_utf16(piece)?;
        if memchr::memchr(0, piece).is_some() {
            return Err(NotText::Nul);
        }
        let (joined, rest) = self.join(piece)?;
        let text = self.whole_characters(rest)?;
        Ok(self.without_mark(Checked { joined, text }))
    }

    /// Ends the content: a character that is still cut off is malformed.
    pub fn finish(&self) -> Result<(), NotText> {
        match self.pending_len {
            0 => Ok(()),
            _ => Err(NotText::InvalidUtf8),
        }
    }

    /// Whether the content began with a byte order mark.
    #[must_use]
    pub fn byte_order_mark(&self) -> bool {
        self.byte_order_mark
    }

    /// Looks at the first two bytes of the content, which may come in two pieces.
    fn refuse_utf16(&mut self, piece: &[u8]) -> Result<(), NotText> {
        if self.started {
            return Ok(());
        }
        let first = match self.pending_len {
            0 => piece.first(),
            _ => self.pending.first(),
        };
        match (first, piece.get(1 - self.pending_len.min(1))) {
            (Some(0xFF), Some(0xFE)) => Err(NotText::Utf16Le),
            (Some(0xFE), Some(0xFF)) => Err(NotText::Utf16Be),
            _ => Ok(()),
        }
    }

    /// Completes the character that was held back, if there is one.
    fn join<'a>(&mut self, piece: &'a [u8]) -> Result<(Option<char>, &'a [u8]), NotText> {
        if self.pending_len == 0 {
            return Ok((None, piece));
        }
        for (used, &byte) in piece.iter().enumerate() {
            self.pending[self.pending_len] = byte;
            self.pending_len += 1;
            match str::from_utf8(&self.pending[..self.pending_len]) {
                Ok(text) => {
                    self.pending_len = 0;
                    return Ok((text.chars().next(), &piece[used + 1..]));
                }
                Err(error) if error.error_len().is_some() => return Err(NotText::InvalidUtf8),
                Err(_) => {}
            }
        }
        Ok((None, &[]))
    }

    /// The complete characters of some bytes; the incomplete last one is held back.
    fn whole_characters<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a str, NotText> {
        let error = match str::from_utf8(bytes) {
            Ok(text) => return Ok(text),
            Err(error) => error,
        };
        let (whole, cut) = bytes.split_at(error.valid_up_to());
        let lone_mark = !self.started && whole.is_empty() && matches!(cut, [0xFE | 0xFF]);
        if error.error_len().is_some() && !lone_mark {
            return Err(NotText::InvalidUtf8);
        }
        self.pending[..cut.len()].copy_from_slice(cut);
        self.pending_len = cut.len();
        Ok(str::from_utf8(whole).expect("the bytes up to the error were found valid"))
    }

    /// Takes the byte order mark off the very first character.
    fn without_mark<'a>(&mut self, mut checked: Checked<'a>) -> Checked<'a> {
        if self.started || (checked.joined.is_none() && checked.text.is_empty()) {
            return checked;
        }
        self.started = true;
        if checked.joined == Some(BYTE_ORDER_MARK) {
            checked.joined = None;
            self.byte_order_mark = true;
        } else if checked.joined.is_none()
            && let Some(rest) = checked.text.strip_prefix(BYTE_ORDER_MARK)
        {
            checked.text = rest;
            self.byte_order_mark = true;
        }
        checked
    }
}

/// Checks a whole content at once. Answers whether it begins with a byte order mark, and
/// the text without it.
pub fn check(content: &[u8]) -> Result<(bool, &str), NotText> {
    let mut checker = Checker::new();
    let checked = checker.feed(content)?;
    checker.finish()?;
    Ok((checker.byte_order_mark, checked.text))
}
