//! From the hash of a key to its place in the book.
//!
//! An open-addressing table must move all it holds when it grows. It is therefore 256
//! tables, each of which grows by itself: none holds enough for a call to stall.
//!
//! A slot is 32 bits: the place below, and above it eight bits of the hash, so that an
//! entry is looked at only when it is almost certainly the right one.

use alloc::{rc::Rc, vec, vec::Vec};

use super::{
    book::Book,
    entry::{KeyHash, Place},
};

/// How many tables; one byte of the hash chooses.
const SHARDS: usize = 256;

const PLACE_BITS: u32 = 24;
const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;

/// How many places a slot can tell apart, without the one that looks like [`EMPTY`].
pub(super) const MOST_PLACES: u32 = PLACE_MASK;

const EMPTY: u32 = u32::MAX;

/// The places of all entries, by hash.
#[derive(Clone)]
pub(super) struct Index {
    /// Shared with forks until one of them changes a table.
    shards: Vec<Option<Rc<Shard>>>,
}

/// One table: linear probing over a power of two of slots, a quarter of them empty.
#[derive(Clone, Default)]
struct Shard {
    slots: Vec<u32>,
    used: usize,
}

impl Index {
    /// An index of nothing.
    pub(super) fn new() -> Index {
        Index {
            shards: vec![None; SHARDS],
        }
    }

    /// The place of a target, if it has one.
    pub(super) fn find(&self, hash: KeyHash, book: &Book) -> Option<Place> {
        let shard = self.shards[hash.high as usize % SHARDS].as_ref()?;
        let tag = slot(hash, Place(0));
        let mut at = shard.home(hash);
        loop {
            let slot = shard.slots[at];
            if slot == EMPTY {
                return None;
            }
            let place = Place(slot & PLACE_MASK);
            if (slot ^ tag) <= PLACE_MASK && book.entry(place).hash == hash {
                return Some(place);
            }
            at = shard.after(at);
        }
    }

    /// Adds the place of a target that has none yet.
    pub(super) fn insert(&mut self, hash: KeyHash, place: Place, book: &Book) {
        let shard = self.shard_mut(hash);
        if (shard.used + 1) * 4 > shard.slots.len() * 3 {
            shard.grow(book);
        }
        shard.used += 1;
        shard.put(hash, slot(hash, place));
    }

    /// Removes a target from its place.
    pub(super) fn remove(&mut self, hash: KeyHash, place: Place, book: &Book) {
        self.shard_mut(hash).take(hash, slot(hash, place), book);
    }

    fn shard_mut(&mut self, hash: KeyHash) -> &mut Shard {
        let shard = &mut self.shards[hash.high as usize % SHARDS];
        Rc::make_mut(shard.get_or_insert_default())
    }
}

impl Shard {
    /// The position at which a hash would be if it were alone.
    fn home(&self, hash: KeyHash) -> usize {
        hash.low as usize & self.mask()
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & self.mask()
    }

    fn mask(&self) -> usize {
        self.slots.len().wrapping_sub(1)
    }

    /// Puts a slot into the first empty position; there is one.
    fn put(&mut self, hash: KeyHash, slot: u32) {
        let mut at = self.home(hash);
        while self.slots[at] != EMPTY {
            at = self.after(at);
        }
        self.slots[at] = slot;
    }

    #[cold]
    fn grow(&mut self, book: &Book) {
        let larger = vec![EMPTY; (self.slots.len() * 2).max(4)];
        let slots = core::mem::replace(&mut self.slots, larger);
        for slot in slots.into_iter().filter(|slot| *slot != EMPTY) {
            self.put(book.entry(Place(slot & PLACE_MASK)).hash, slot);
        }
    }

    /// Takes a slot out and closes the gap, so that no later search ends too early: the
    /// slots that follow move up unless that would put them before their home.
    fn take(&mut self, hash: KeyHash, slot: u32, book: &Book) {
        let mut gap = self.home(hash);
        while self.slots[gap] != slot {
            gap = self.after(gap);
        }
        let mut at = gap;
        loop {
            at = self.after(at);
            let slot = self.slots[at];
            if slot == EMPTY {
                break;
            }
            let home = self.home(book.entry(Place(slot & PLACE_MASK)).hash);
            let mask = self.mask();
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.slots[gap] = slot;
                gap = at;
            }
        }
        self.slots[gap] = EMPTY;
        self.used -= 1;
    }
}

fn slot(hash: KeyHash, place: Place) -> u32 {
    let tag = (hash.low >> (u64::BITS - (u32::BITS - PLACE_BITS))) as u32;
    tag << PLACE_BITS | place.0
}
