//! The entries of a ledger, in chunks that never move and that a fork shares.
//!
//! A chunk is copied when it is changed while a fork still shares it, so that a fork of a
//! million entries costs no more than the list of its chunks.

use alloc::{borrow::ToOwned, rc::Rc, string::String, vec, vec::Vec};

use super::entry::{Entry, KeyHash, Place, Seen};
use crate::Prior;

/// Entries a chunk; a power of two, so that a place splits without a division.
const CHUNK: usize = 256;

/// The entries lie apart from what the reference counter counts, so that the counters and
/// the heads of all chunks are close together and stay in the processor's cache.
#[derive(Clone)]
struct Chunk {
    /// Always [`CHUNK`] of them.
    entries: Vec<Entry>,
    /// Versions that are too long for their entries, by position in the chunk; empty until
    /// the first of them.
    long: Vec<Option<String>>,
}

/// Every entry of a ledger.
#[derive(Clone)]
pub(super) struct Book {
    chunks: Vec<Rc<Chunk>>,
    /// How many places were ever used.
    used: u32,
    /// The first of the chain of places that were given back.
    vacant: Place,
}

impl Book {
    /// A book without an entry and without memory of its own.
    pub(super) const fn new() -> Book {
        Book {
            chunks: Vec::new(),
            used: 0,
            vacant: Place::NONE,
        }
    }

    /// The entry at a place that is in use.
    pub(super) fn entry(&self, place: Place) -> &Entry {
        let (chunk, position) = split(place);
        &self.chunks[chunk].entries[position]
    }

    /// The same, to change it.
    pub(super) fn entry_mut(&mut self, place: Place) -> &mut Entry {
        let (chunk, position) = split(place);
        &mut self.chunk_mut(chunk).entries[position]
    }

    /// A chunk that is shared with no fork: one function and not inlined, since the rare
    /// copy is far larger than the call.
    #[inline(never)]
    fn chunk_mut(&mut self, chunk: usize) -> &mut Chunk {
        Rc::make_mut(&mut self.chunks[chunk])
    }

    /// What was seen of the target at a place.
    pub(super) fn seen(&self, place: Place) -> Prior<'_> {
        let (chunk, position) = split(place);
        let chunk = &self.chunks[chunk];
        let seen = &chunk.entries[position].seen;
        if let Some(version) = seen.version() {
            return Prior::Present(version);
        }
        match chunk.long.get(position) {
            Some(Some(version)) if *seen == Seen::LONG => Prior::Present(version),
            _ => Prior::Absent,
        }
    }

    /// Records what was seen at a place; `None` is absent.
    pub(super) fn record(&mut self, place: Place, version: Option<&str>) {
        let (chunk, position) = split(place);
        let chunk = self.chunk_mut(chunk);
        chunk.drop_long(position);
        chunk.entries[position].seen = match version {
            None => Seen::ABSENT,
            Some(version) => Seen::inline(version).unwrap_or_else(|| {
                chunk.keep_long(position, version);
                Seen::LONG
            }),
        };
    }

    /// A place for a target that has none yet.
    pub(super) fn take(&mut self, hash: KeyHash) -> Place {
        let place = self.vacant;
        if place != Place::NONE {
            self.vacant = self.entry(place).newer;
            self.entry_mut(place).hash = hash;
            return place;
        }
        let place = Place(self.used);
        if split(place).0 == self.chunks.len() {
            self.chunks.push(Rc::new(Chunk {
                entries: vec![Entry::VACANT; CHUNK],
                long: Vec::new(),
            }));
        }
        self.used += 1;
        self.entry_mut(place).hash = hash;
        place
    }

    /// Gives a place back; nothing of the target stays.
    pub(super) fn give_back(&mut self, place: Place) {
        self.record(place, None);
        let next = self.vacant;
        let entry = self.entry_mut(place);
        *entry = Entry::VACANT;
        entry.newer = next;
        self.vacant = place;
    }
}

impl Chunk {
    fn keep_long(&mut self, position: usize, version: &str) {
        if self.long.is_empty() {
            self.long.resize(CHUNK, None);
        }
        self.long[position] = Some(version.to_owned());
    }

    fn drop_long(&mut self, position: usize) {
        if let Some(slot) = self.long.get_mut(position) {
            *slot = None;
        }
    }
}

fn split(place: Place) -> (usize, usize) {
    let place = place.0 as usize;
    (place / CHUNK, place % CHUNK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long_versions(book: &Book) -> usize {
        book.chunks
            .iter()
            .map(|chunk| chunk.long.iter().flatten().count())
            .sum()
    }

    /// Fails without `drop_long` in `record`, and without `record` in `give_back`.
    #[test]
    fn a_long_version_goes_when_its_entry_no_longer_has_it() {
        let long = "a version that is longer than an entry";
        let mut book = Book::new();
        let hash = KeyHash { low: 1, high: 2 };
        let place = book.take(hash);
        for next in [Some("short"), None] {
            book.record(place, Some(long));
            assert_eq!(long_versions(&book), 1);
            book.record(place, next);
            assert_eq!(long_versions(&book), 0);
        }
        book.record(place, Some(long));
        book.give_back(place);
        assert_eq!(long_versions(&book), 0);
        assert_eq!(book.take(hash), place);
    }
}
