//! The order in which targets were last observed, as a chain through the entries.

use super::{book::Book, entry::Place};

/// The two ends of the chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ages {
    /// The first to be forgotten.
    pub(super) oldest: Place,
    newest: Place,
}

impl Ages {
    /// No entry yet.
    pub(super) const fn new() -> Ages {
        Ages {
            oldest: Place::NONE,
            newest: Place::NONE,
        }
    }

    /// Puts an entry that is in no chain at the newest end.
    pub(super) fn append(&mut self, book: &mut Book, place: Place) {
        let before = self.newest;
        let entry = book.entry_mut(place);
        entry.older = before;
        entry.newer = Place::NONE;
        match before {
            Place::NONE => self.oldest = place,
            before => book.entry_mut(before).newer = place,
        }
        self.newest = place;
    }

    /// Takes an entry out of the chain.
    pub(super) fn unlink(&mut self, book: &mut Book, place: Place) {
        let entry = book.entry(place);
        let (older, newer) = (entry.older, entry.newer);
        match older {
            Place::NONE => self.oldest = newer,
            older => book.entry_mut(older).newer = newer,
        }
        match newer {
            Place::NONE => self.newest = older,
            newer => book.entry_mut(newer).older = older,
        }
    }

    /// Moves an entry to the newest end.
    pub(super) fn refresh(&mut self, book: &mut Book, place: Place) {
        if self.newest != place {
            self.unlink(book, place);
            self.append(book, place);
        }
    }
}
