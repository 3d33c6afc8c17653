//! A search that takes linear time whatever the texts are, with a line ending as one
//! symbol: the automaton of Knuth, Morris and Pratt.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// How line endings are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// Either ending matches either.
    Lenient,
    /// An ending matches only itself.
    Exact,
    /// Byte for byte: the CR and the LF of an ending are two symbols.
    Bytes,
    /// White space is left out of both texts.
    Squeezed,
}

/// One unit of comparison: a byte, or a CR LF pair that is told apart from LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol(u16);

impl Symbol {
    const LF: Self = Self(b'\n' as u16);
    const CRLF: Self = Self(0x100);

    pub(crate) fn is_newline(self) -> bool {
        self == Self::LF || self == Self::CRLF
    }

    /// The byte to look for where all lines end in LF.
    pub(crate) fn byte(self) -> u8 {
        u8::try_from(self.0).unwrap_or(b'\n')
    }
}

/// The symbols of a text, each with the place behind it.
pub(crate) struct Symbols<'t> {
    bytes: &'t [u8],
    at: usize,
    comparison: Comparison,
}

impl<'t> Symbols<'t> {
    /// The symbols from a place on. It must not be between CR and LF.
    pub(crate) fn new(bytes: &'t [u8], at: usize, comparison: Comparison) -> Self {
        Self {
            bytes,
            at,
            comparison,
        }
    }
}

impl Iterator for Symbols<'_> {
    type Item = (Symbol, usize);

    #[inline]
    fn next(&mut self) -> Option<(Symbol, usize)> {
        if self.comparison == Comparison::Squeezed {
            self.at += white_space(self.bytes[self.at..].iter());
        }
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        let pair = byte == b'\r' && self.bytes.get(self.at) == Some(&b'\n');
        if !pair || self.comparison == Comparison::Bytes {
            return Some((Symbol(u16::from(byte)), self.at));
        }
        self.at += 1;
        let symbol = match self.comparison {
            Comparison::Exact => Symbol::CRLF,
            _ => Symbol::LF,
        };
        Some((symbol, self.at))
    }
}

/// The occurrences of some symbols in a content, by their ends.
pub(crate) struct Occurrences<'s> {
    pattern: &'s [Symbol],
    content: Symbols<'s>,
    fallback: Vec<u32>,
    matched: usize,
    overlapping: bool,
}

impl<'s> Occurrences<'s> {
    /// All occurrences, or only those that do not overlap the one before. The pattern
    /// must not be empty.
    pub(crate) fn new(pattern: &'s [Symbol], content: Symbols<'s>, overlapping: bool) -> Self {
        Self {
            pattern,
            content,
            fallback: fallback(pattern),
            matched: 0,
            overlapping,
        }
    }

    /// The occurrences by their places; each costs as much as it is long.
    pub(crate) fn places(mut self) -> impl Iterator<Item = Range<usize>> {
        core::iter::from_fn(move || {
            let end = self.next()?;
            Some(self.place(end))
        })
    }

    /// The place of the occurrence that ends here.
    pub(crate) fn place(&self, end: usize) -> Range<usize> {
        if self.content.comparison == Comparison::Bytes {
            return end - self.pattern.len()..end;
        }
        let squeezed = self.content.comparison == Comparison::Squeezed;
        let start = self.pattern.iter().rfold(end, |mut at, symbol| {
            if squeezed {
                at -= white_space(self.content.bytes[..at].iter().rev());
            }
            let pair = symbol.is_newline() && self.content.bytes[..at].ends_with(b"\r\n");
            at - if pair { 2 } else { 1 }
        });
        start..end
    }
}

impl Iterator for Occurrences<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let (symbol, end) = self.content.next()?;
            self.matched = step(self.pattern, &self.fallback, self.matched, symbol);
            if self.matched == self.pattern.len() {
                self.matched = match self.overlapping {
                    true => self.fallback[self.matched - 1] as usize,
                    false => 0,
                };
                return Some(end);
            }
        }
    }
}

/// How many symbols of the pattern match once this one has come.
#[inline]
fn step(pattern: &[Symbol], fallback: &[u32], mut matched: usize, symbol: Symbol) -> usize {
    while matched > 0 && pattern[matched] != symbol {
        matched = fallback[matched - 1] as usize;
    }
    matched + usize::from(pattern[matched] == symbol)
}

/// For each length of a matched prefix, the next shorter one that could also match.
fn fallback(pattern: &[Symbol]) -> Vec<u32> {
    let mut fallback = vec![0; pattern.len()];
    let mut matched = 0;
    for (at, &symbol) in pattern.iter().enumerate().skip(1) {
        matched = step(pattern, &fallback, matched, symbol);
        fallback[at] =
            u32::try_from(matched).expect("a text that crossed the boundary is below 4 GiB");
    }
    fallback
}

/// How much white space comes first.
fn white_space<'b>(bytes: impl Iterator<Item = &'b u8>) -> usize {
    bytes.take_while(|byte| byte.is_ascii_whitespace()).count()
}
