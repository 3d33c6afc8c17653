//! One remembered target, in 48 bytes: hash of the key, neighbours by age, version.

use siphasher::sip128::SipHasher13;

use super::Seed;

/// The keyed hash that stands for a key.
///
/// Two keys with the same 128 bits cannot be found without the seed; if it happened, the
/// wrong version would be demanded and the provider's compare-and-swap would refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyHash {
    /// Finds the place within a shard.
    pub(super) low: u64,
    /// Chooses the shard.
    pub(super) high: u64,
}

impl KeyHash {
    /// The hash of a key under a seed.
    pub(super) fn of(key: &str, seed: Seed) -> KeyHash {
        let hash = SipHasher13::new_with_keys(seed.low, seed.high).hash(key.as_bytes());
        KeyHash {
            low: hash.h1,
            high: hash.h2,
        }
    }
}

/// Where an entry lies in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(pub(super) u32);

impl Place {
    /// No entry; the largest capacity keeps every real place below it.
    pub(super) const NONE: Place = Place(u32::MAX);
}

/// One remembered target, or a vacant place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Which target.
    pub(super) hash: KeyHash,
    /// The entry that was observed next; in a vacant place, the next vacant one.
    pub(super) newer: Place,
    /// The entry that was observed before.
    pub(super) older: Place,
    /// What was seen.
    pub(super) seen: Seen,
}

const _: () = assert!(size_of::<Entry>() == 48);

impl Entry {
    /// A place that no target uses.
    pub(super) const VACANT: Entry = Entry {
        hash: KeyHash { low: 0, high: 0 },
        newer: Place::NONE,
        older: Place::NONE,
        seen: Seen::ABSENT,
    };
}

/// The most bytes of a version that an entry holds by itself: the most that the contract
/// lets a version have, if it is ASCII.
pub(super) const INLINE: usize = 24;

/// What was seen of a target: absent, a version, or "look beside the entry".
///
/// The last byte tells them apart. A string that fills all 24 bytes ends in a byte of
/// UTF-8, which is never 0xC0 or more; a shorter one leaves the last byte free for a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen([u8; INLINE]);

const LENGTH_MARK: u8 = 0xC0;
const ABSENT_MARK: u8 = 0xFE;
const LONG_MARK: u8 = 0xFF;

impl Seen {
    /// Nothing was there.
    pub(super) const ABSENT: Seen = Seen::marked(ABSENT_MARK);
    /// A version that is too long for the entry and is kept beside it.
    pub(super) const LONG: Seen = Seen::marked(LONG_MARK);

    const fn marked(mark: u8) -> Seen {
        let mut bytes = [0; INLINE];
        bytes[INLINE - 1] = mark;
        Seen(bytes)
    }

    /// A version, if it fits.
    pub(super) fn inline(version: &str) -> Option<Seen> {
        let mut bytes = [0; INLINE];
        bytes
            .get_mut(..version.len())?
            .copy_from_slice(version.as_bytes());
        if version.len() < INLINE {
            bytes[INLINE - 1] = LENGTH_MARK + version.len() as u8;
        }
        Some(Seen(bytes))
    }

    /// The version, if this holds one by itself.
    pub(super) fn version(&self) -> Option<&str> {
        let length = match self.0[INLINE - 1] {
            ABSENT_MARK | LONG_MARK => return None,
            last if last >= LENGTH_MARK => usize::from(last - LENGTH_MARK),
            _ => INLINE,
        };
        core::str::from_utf8(self.0.get(..length)?).ok()
    }
}
