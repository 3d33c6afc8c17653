//! The order in which targets were last observed, as a chain through the entries.

use core::cell::Cell;

use super::{book::Book, entry::Place, snapshot::Bookmark};

/// The two ends of the chain.
#[derive(Debug, Clone)]
pub(super) struct Ages {
    /// The first to be forgotten.
    pub(super) oldest: Place,
    newest: Place,
    /// Where a page of a snapshot begins in it.
    pub(super) bookmark: Cell<Bookmark>,
}

impl Ages {
    /// No entry yet.
    pub(super) const fn new() -> Ages {
        Ages {
            oldest: Place::NONE,
            newest: Place::NONE,
            bookmark: Cell::new(Bookmark::START),
        }
    }

    /// Puts an entry that is in no chain at the newest end.
    pub(super) fn append(&mut self, book: &mut Book, place: Place) {
        self.follow(Place::NONE, place);
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
        self.follow(place, newer);
        match older {
            Place::NONE => self.oldest = newer,
            older => book.entry_mut(older).newer = newer,
        }
        match newer {
            Place::NONE => self.newest = older,
            newer => book.entry_mut(newer).older = older,
        }
    }

    /// Has the bookmark follow what comes to stand where it is.
    fn follow(&mut self, gone: Place, now: Place) {
        let mark = self.bookmark.get_mut();
        if mark.first == gone {
            mark.first = now;
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
