//! What an edit replaces, ready to be spliced into a text of any size without a copy.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::fit::Fitted;

/// The places of a content that are replaced, in order, and their new texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    splices: Vec<Splice>,
    /// The new texts, shared by the places where their line endings come out alike.
    texts: Vec<String>,
    /// Which text stands for endings that came out alike before.
    shared: Vec<(Fitted, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Splice {
    place: Range<usize>,
    text: usize,
}

impl Plan {
    /// How many places are replaced; at least one.
    #[must_use]
    pub fn replacements(&self) -> usize {
        self.splices.len()
    }

    /// The places, as bytes of the content without its byte order mark, and their texts.
    pub fn splices(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let texts = &self.texts;
        self.splices
            .iter()
            .map(|splice| (splice.place.clone(), texts[splice.text].as_str()))
    }

    /// The new content in pieces: what stays and what is new, in order. Joined they are
    /// the new content without its byte order mark.
    pub fn pieces<'a>(&'a self, content: &'a str) -> impl Iterator<Item = &'a str> {
        let mut kept_to = 0;
        let changed = self.splices().flat_map(move |(place, text)| {
            let kept = &content[kept_to..place.start];
            kept_to = place.end;
            [kept, text]
        });
        let tail = self.splices.last().map_or(0, |splice| splice.place.end);
        changed.chain([&content[tail..]])
    }

    /// How many bytes the new content has, given how many the old one has.
    #[must_use]
    pub fn new_len(&self, content_len: usize) -> u64 {
        self.splices()
            .fold(content_len as u64, |len, (place, text)| {
                len - place.len() as u64 + text.len() as u64
            })
    }

    /// Whether every place already holds its new text.
    pub(crate) fn changes_nothing(&self, content: &str) -> bool {
        self.splices().all(|(place, text)| &content[place] == text)
    }

    /// Adds a place behind the others. Its text is made only where no place before had
    /// the same endings.
    pub(crate) fn add(
        &mut self,
        place: Range<usize>,
        fitted: Fitted,
        make: impl FnOnce(&Fitted) -> String,
    ) {
        let known = self.shared.iter().find(|(other, _)| *other == fitted);
        if let Some(&(_, text)) = known {
            self.splices.push(Splice { place, text });
            return;
        }
        let text = make(&fitted);
        self.add_alone(place, text);
        if !matches!(fitted, Fitted::Own(_)) {
            self.shared.push((fitted, self.texts.len() - 1));
        }
    }

    /// Adds a place whose text no other place has.
    pub(crate) fn add_alone(&mut self, place: Range<usize>, text: String) {
        self.splices.push(Splice {
            place,
            text: self.texts.len(),
        });
        self.texts.push(text);
    }
}
