//! Where a text occurs, when a line ending is one symbol, however it is spelled.
//!
//! A CR directly before LF belongs to the ending and matches nothing else, unless bytes are
//! compared. A content
//! whose lines all end alike is searched with `memmem`; a mixed one, and an exact
//! comparison of endings, with the automaton.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem::Finder;

use crate::automaton::{Comparison, Occurrences, Symbol, Symbols};
use crate::endings::LineEndings;

/// A search for one text in one content.
pub(crate) struct Search<'c> {
    content: &'c [u8],
    comparison: Comparison,
    pattern: Vec<Symbol>,
    /// The bytes to look for, where the content's line endings allow that.
    literal: Option<Finder<'static>>,
}

impl<'c> Search<'c> {
    /// Prepares the search. `old` must not be empty.
    pub(crate) fn new(content: &'c str, old: &str, comparison: Comparison) -> Self {
        let pattern: Vec<Symbol> = Symbols::new(old.as_bytes(), 0, comparison)
            .map(|(symbol, _)| symbol)
            .collect();
        let literal = literal(content, &pattern, comparison);
        Self {
            content: content.as_bytes(),
            comparison,
            literal: literal.map(|bytes| Finder::new(&bytes).into_owned()),
            pattern,
        }
    }

    /// The occurrences that begin at `from` or later, none overlapping the one before.
    pub(crate) fn apart(&self, from: usize) -> Vec<Range<usize>> {
        match &self.literal {
            Some(finder) => self.literal_from(finder, from, |place| place.end).collect(),
            None => self.automaton(from, false).places().collect(),
        }
    }

    /// The first two occurrences; they may overlap.
    pub(crate) fn first_two(&self) -> (Option<Range<usize>>, Option<Range<usize>>) {
        match &self.literal {
            Some(finder) => {
                let mut places = self.literal_from(finder, 0, |place| place.start + 1);
                (places.next(), places.next())
            }
            None => {
                let mut ends = self.automaton(0, true);
                let (first, second) = (ends.next(), ends.next());
                (
                    first.map(|end| ends.place(end)),
                    second.map(|end| ends.place(end)),
                )
            }
        }
    }

    /// All occurrences by their ends, also those that overlap, in linear time.
    pub(crate) fn automaton(&self, from: usize, overlapping: bool) -> Occurrences<'_> {
        let content = Symbols::new(self.content, from, self.comparison);
        Occurrences::new(&self.pattern, content, overlapping)
    }

    /// Where an occurrence at the very start of the content ends, if there is one.
    pub(crate) fn end_at_start(&self) -> Option<usize> {
        let mut content = Symbols::new(self.content, 0, self.comparison);
        self.pattern.iter().try_fold(0, |_, &wanted| {
            content
                .next()
                .filter(|(found, _)| *found == wanted)
                .map(|(_, after)| after)
        })
    }

    /// The occurrences of plain bytes; `onward` says where to go on after each.
    fn literal_from(
        &self,
        finder: &Finder<'_>,
        from: usize,
        onward: impl Fn(&Range<usize>) -> usize,
    ) -> impl Iterator<Item = Range<usize>> {
        let mut at = from;
        core::iter::from_fn(move || {
            loop {
                let start = at + finder.find(self.content.get(at..)?)?;
                let place = start..start + finder.needle().len();
                if !self.splits_an_ending(place.end) {
                    at = onward(&place);
                    return Some(place);
                }
                // What ends in a CR here has no line ending inside.
                at = place.end + 1;
            }
        })
    }

    /// Whether this place is between the CR and the LF of an ending.
    fn splits_an_ending(&self, at: usize) -> bool {
        self.comparison != Comparison::Bytes
            && self.content[..at].ends_with(b"\r")
            && self.content.get(at) == Some(&b'\n')
    }
}

/// The bytes that find every occurrence, unless only the automaton can.
fn literal(content: &str, pattern: &[Symbol], comparison: Comparison) -> Option<Vec<u8>> {
    if comparison == Comparison::Squeezed {
        return None;
    }
    let newlines = pattern.iter().any(|symbol| symbol.is_newline());
    let crlf = match (newlines, comparison) {
        (false, _) | (true, Comparison::Bytes) => false,
        (true, Comparison::Exact) => return None,
        (true, _) if pattern.last().is_some_and(|last| last.byte() == b'\r') => return None,
        (true, _) => match LineEndings::of(content) {
            LineEndings::Mixed => return None,
            LineEndings::Crlf => true,
            LineEndings::Lf | LineEndings::None => false,
        },
    };
    let spelled = pattern.iter().flat_map(|symbol| {
        let carriage_return = (crlf && symbol.is_newline()).then_some(b'\r');
        carriage_return.into_iter().chain([symbol.byte()])
    });
    Some(spelled.collect())
}
