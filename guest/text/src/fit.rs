//! How the line endings of inserted text are chosen: they follow what is replaced.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

use crate::endings::Ending;

/// How the endings of a new text come out at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fitted {
    /// As given.
    AsGiven,
    /// Every one is this.
    Uniform(Ending),
    /// Each has its own.
    Own(Vec<Ending>),
}

/// A new text, taken apart at its line endings, ready to be fitted in at many places.
pub(crate) struct Fitting<'a> {
    new: &'a str,
    /// The parts between line endings: one more than there are endings.
    parts: Vec<&'a str>,
    /// Line endings that the old and the new text have in common at their ends, beyond
    /// those that they have in common at their starts.
    trailing: usize,
}

impl<'a> Fitting<'a> {
    /// Compares the two texts by lines, endings aside.
    pub(crate) fn new(old: &'a str, new: &'a str) -> Self {
        let (old_parts, parts) = (parts(old), parts(new));
        let both = old_parts.len().min(parts.len()) - 1;
        let leading = common(old_parts.iter(), parts.iter()).min(both);
        let trailing = common(old_parts.iter().rev(), parts.iter().rev()).min(both - leading);
        Self {
            new,
            parts,
            trailing,
        }
    }

    /// How the endings come out at a place. Places must come in order.
    pub(crate) fn fit(&self, place: &Range<usize>, beside: &mut Neighbours<'_>) -> Fitted {
        let count = self.parts.len() - 1;
        if count == 0 {
            return Fitted::AsGiven;
        }
        let own = endings_inside(beside.content, place);
        let Some(&first) = own.first() else {
            return beside
                .ending(place)
                .map_or(Fitted::AsGiven, Fitted::Uniform);
        };
        if own.iter().all(|&ending| ending == first) {
            return Fitted::Uniform(first);
        }
        Fitted::Own(
            (0..count)
                .map(|index| self.choose(&own, index, count - index))
                .collect(),
        )
    }

    /// The ending at a count from the start and from the end. Lines that both texts have
    /// keep theirs; the others take the one at the same count, or the last.
    fn choose(&self, own: &[Ending], index: usize, from_end: usize) -> Ending {
        match from_end <= self.trailing {
            true => own[own.len() - from_end],
            false => own[index.min(own.len() - 1)],
        }
    }

    /// The text with its endings as they came out.
    pub(crate) fn text(&self, fitted: &Fitted) -> String {
        let endings: &[Ending] = match fitted {
            Fitted::AsGiven => return String::from(self.new),
            Fitted::Uniform(ending) => core::slice::from_ref(ending),
            Fitted::Own(endings) => endings,
        };
        let mut text = String::with_capacity(self.new.len() + self.parts.len());
        let (last, ended) = self
            .parts
            .split_last()
            .expect("a text has at least one part");
        for (index, part) in ended.iter().enumerate() {
            // A CR that is data would make one ending with a line feed.
            let ending = match part.ends_with('\r') {
                true => Ending::Crlf,
                false => endings[index % endings.len()],
            };
            text.push_str(part);
            text.push_str(ending.text());
        }
        text.push_str(last);
        text
    }
}

/// The parts of a text between its line endings.
fn parts(text: &str) -> Vec<&str> {
    let without_cr = |line| str::strip_suffix(line, '\r').unwrap_or(line);
    let mut parts: Vec<&str> = text.split('\n').collect();
    if let Some((_last, ended)) = parts.split_last_mut() {
        ended.iter_mut().for_each(|line| *line = without_cr(line));
    }
    parts
}

/// Whether two texts have the same lines, however those end.
pub(crate) fn alike_but_for_endings(left: &str, right: &str) -> bool {
    parts(left) == parts(right)
}

/// How many items two sequences have in common at their starts.
fn common<'t, 'u>(
    left: impl Iterator<Item = &'t &'u str>,
    right: impl Iterator<Item = &'t &'u str>,
) -> usize
where
    'u: 't,
{
    left.zip(right)
        .take_while(|(left, right)| left == right)
        .count()
}

/// The endings inside a place of a content.
fn endings_inside(content: &[u8], place: &Range<usize>) -> Vec<Ending> {
    memchr_iter(b'\n', &content[place.clone()])
        .map(|newline| Ending::at(content, place.start + newline))
        .collect()
}

/// Finds the ending beside places that have none inside, in the order of the content.
pub(crate) struct Neighbours<'c> {
    content: &'c [u8],
    next: Next,
}

/// What is known of the line endings ahead.
#[derive(Clone, Copy)]
enum Next {
    Unknown,
    /// The next line feed.
    At(usize),
    /// There is none; the last one before is this, for every place to come.
    NoneAfter(Option<Ending>),
}

impl<'c> Neighbours<'c> {
    pub(crate) fn new(content: &'c [u8]) -> Self {
        Self {
            content,
            next: Next::Unknown,
        }
    }

    /// The ending of the line in which a place ends, else that of the line before, else
    /// none: then there is none in the content. Places must come in order.
    fn ending(&mut self, place: &Range<usize>) -> Option<Ending> {
        let known = match self.next {
            Next::At(newline) => newline >= place.end,
            Next::NoneAfter(_) => true,
            Next::Unknown => false,
        };
        if !known {
            self.next = self.look_ahead(place);
        }
        match self.next {
            Next::At(newline) => Some(Ending::at(self.content, newline)),
            Next::NoneAfter(before) => before,
            Next::Unknown => None,
        }
    }

    fn look_ahead(&self, place: &Range<usize>) -> Next {
        match memchr(b'\n', &self.content[place.end..]) {
            Some(newline) => Next::At(place.end + newline),
            None => Next::NoneAfter(
                memrchr(b'\n', &self.content[..place.start])
                    .map(|newline| Ending::at(self.content, newline)),
            ),
        }
    }
}
