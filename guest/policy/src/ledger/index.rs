//! From the hash of a key to its place in the book.
//!
//! An open-addressing table must move all it holds when it grows. It is therefore 256
//! tables, each of which grows by itself: none holds enough for a call to stall.

use alloc::{rc::Rc, vec, vec::Vec};

use hashbrown::HashTable;

use super::{
    book::Book,
    entry::{KeyHash, Place},
};

/// How many tables; one byte of the hash chooses.
const SHARDS: usize = 256;

/// The places of all entries, by hash.
#[derive(Clone)]
pub(super) struct Index {
    /// Shared with forks until one of them changes a table.
    shards: Vec<Rc<HashTable<Place>>>,
}

impl Index {
    /// An index of nothing.
    pub(super) fn new() -> Index {
        let empty = Rc::new(HashTable::new());
        Index {
            shards: vec![empty; SHARDS],
        }
    }

    /// The place of a target, if it has one.
    pub(super) fn find(&self, hash: KeyHash, book: &Book) -> Option<Place> {
        self.shards[shard(hash)]
            .find(hash.low, |place| book.entry(*place).hash == hash)
            .copied()
    }

    /// Adds the place of a target that has none yet.
    pub(super) fn insert(&mut self, hash: KeyHash, place: Place, book: &Book) {
        Rc::make_mut(&mut self.shards[shard(hash)])
            .insert_unique(hash.low, place, |place| book.entry(*place).hash.low);
    }

    /// Removes a target from its place.
    pub(super) fn remove(&mut self, hash: KeyHash, place: Place) {
        let table = Rc::make_mut(&mut self.shards[shard(hash)]);
        if let Ok(found) = table.find_entry(hash.low, |other| *other == place) {
            found.remove();
        }
    }
}

fn shard(hash: KeyHash) -> usize {
    hash.high as usize % SHARDS
}
