//! What was put in last, by version, up to a total weight.

use std::collections::{HashMap, VecDeque};

/// A bounded store: the first in is the first out.
pub(super) struct Recent<T> {
    values: HashMap<String, T>,
    order: VecDeque<(String, u64)>,
    weight: u64,
    most: u64,
}

impl<T: Clone> Recent<T> {
    /// A store for this total weight.
    pub(super) fn new(most: u64) -> Self {
        Self {
            values: HashMap::new(),
            order: VecDeque::new(),
            weight: 0,
            most,
        }
    }

    pub(super) fn has(&self, version: &str) -> bool {
        self.values.contains_key(version)
    }

    pub(super) fn find(&self, version: &str) -> Option<T> {
        self.values.get(version).cloned()
    }

    /// Puts a value in, and lets the oldest go. What is too heavy for the whole store is
    /// not taken.
    pub(super) fn put(&mut self, version: &str, value: T, weight: u64) {
        if weight > self.most || self.has(version) {
            return;
        }
        self.values.insert(version.to_owned(), value);
        self.order.push_back((version.to_owned(), weight));
        self.weight += weight;
        while self.weight > self.most {
            let (oldest, freed) = self.order.pop_front().expect("a weight has its entry");
            self.values.remove(&oldest);
            self.weight -= freed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    /// Fails when the loop of `put` is removed.
    #[test]
    fn the_oldest_go_first_and_the_weight_is_bounded() {
        let mut recent = Recent::new(10);
        for version in ["a", "b", "c"] {
            recent.put(version, version, 4);
        }
        recent.put("d", "d", 11);
        let held: Vec<_> = ["a", "b", "c", "d"].map(|v| recent.has(v)).into();
        assert_eq!(held, [false, true, true, false]);
        assert_eq!(recent.weight, 8);
    }
}
