//! What one owner has seen, and at which version. Dropping it forgets everything.
//!
//! Keys are kept as keyed 128-bit hashes and versions beside them, 48 bytes a target and
//! about 12 more for finding it, so that the memory of a ledger depends on how many files
//! were seen and not on how long their paths are. When it is full, the target whose last
//! observation is the oldest is forgotten: it counts as unseen again, which refuses a
//! change and never permits one.

mod ages;
mod book;
mod entry;
mod index;
mod page;
mod snapshot;

use self::{
    ages::Ages,
    book::Book,
    entry::{KeyHash, Place},
    index::Index,
};
use crate::{EditGuard, EditRefusal, Prior, WriteGuard, decide_edit, decide_write};

pub use self::page::{PAGE_BYTES, PageRefusal};

/// How many targets a ledger remembers where nobody says otherwise.
pub const DEFAULT_CAPACITY: u32 = 1_000_000;

/// The most targets that a ledger can be asked to remember: about 1 GiB of memory.
pub const LARGEST_CAPACITY: u32 = index::MOST_PLACES;

/// The secret under which keys are hashed: 128 random bits of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    /// One half.
    pub low: u64,
    /// The other half.
    pub high: u64,
}

/// How full a ledger is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fill {
    /// Targets remembered.
    pub targets: u32,
    /// The most it remembers.
    pub capacity: u32,
    /// How many were forgotten for want of room.
    pub forgotten: u64,
}

/// One owner's memory.
///
/// A clone is a fork: independent from then on. The two share what neither of them has
/// changed since, so that forking is cheap at any size.
#[derive(Clone)]
pub struct Ledger {
    seed: Seed,
    index: Index,
    book: Book,
    ages: Ages,
    targets: u32,
    capacity: u32,
    forgotten: u64,
}

impl Ledger {
    /// An empty memory for at most `capacity` targets; 0 stands for [`DEFAULT_CAPACITY`],
    /// and more than [`LARGEST_CAPACITY`] for that.
    pub fn new(seed: Seed, capacity: u32) -> Ledger {
        Ledger {
            seed,
            index: Index::new(),
            book: Book::new(),
            ages: Ages::new(),
            targets: 0,
            capacity: match capacity {
                0 => DEFAULT_CAPACITY,
                some => some.min(LARGEST_CAPACITY),
            },
            forgotten: 0,
        }
    }

    /// Records what was just seen of a target; the newest observation counts, and
    /// [`Prior::Unseen`] forgets the target.
    pub fn observe(&mut self, key: &str, prior: Prior<'_>) {
        self.record(KeyHash::of(key, self.seed), prior);
    }

    /// What is known of a target.
    pub fn prior_of(&self, key: &str) -> Prior<'_> {
        match self.index.find(KeyHash::of(key, self.seed), &self.book) {
            Some(place) => self.book.seen(place),
            None => Prior::Unseen,
        }
    }

    /// [`decide_write`] over what is known.
    pub fn write_intent(&self, key: &str) -> WriteGuard<'_> {
        decide_write(self.prior_of(key))
    }

    /// [`decide_edit`] over what is known.
    pub fn edit_intent(&self, key: &str) -> Result<EditGuard<'_>, EditRefusal> {
        decide_edit(self.prior_of(key))
    }

    /// How full this memory is.
    pub fn fill(&self) -> Fill {
        Fill {
            targets: self.targets,
            capacity: self.capacity,
            forgotten: self.forgotten,
        }
    }

    /// An independent copy, for a sub-agent.
    pub fn fork(&self) -> Ledger {
        self.clone()
    }

    fn record(&mut self, hash: KeyHash, prior: Prior<'_>) {
        let version = match prior {
            Prior::Unseen => return self.forget(hash),
            Prior::Absent => None,
            Prior::Present(version) => Some(version),
        };
        match self.index.find(hash, &self.book) {
            Some(place) => {
                self.book.record(place, version);
                self.ages.refresh(&mut self.book, place);
            }
            None => self.admit(hash, version),
        }
    }

    fn admit(&mut self, hash: KeyHash, version: Option<&str>) {
        if self.targets == self.capacity {
            self.remove(self.ages.oldest);
            self.forgotten += 1;
        }
        let place = self.book.take(hash);
        self.book.record(place, version);
        self.ages.append(&mut self.book, place);
        self.index.insert(hash, place, &self.book);
        self.targets += 1;
    }

    fn forget(&mut self, hash: KeyHash) {
        if let Some(place) = self.index.find(hash, &self.book) {
            self.remove(place);
        }
    }

    fn remove(&mut self, place: Place) {
        let hash = self.book.entry(place).hash;
        self.index.remove(hash, place, &self.book);
        self.ages.unlink(&mut self.book, place);
        self.book.give_back(place);
        self.targets -= 1;
    }
}
