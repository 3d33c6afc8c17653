//! What the counters must be in the end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};

use super::ground::FILES;

/// A number for each file: increments that were acknowledged, less those taken back.
pub(crate) struct Account(Vec<AtomicI64>);

impl Account {
    pub(crate) fn new() -> Self {
        Self((0..FILES).map(|_| AtomicI64::new(0)).collect())
    }

    pub(crate) fn add(&self, file: usize, change: i64) {
        self.0[file].fetch_add(change, Ordering::Relaxed);
    }

    /// Adds what another process has entered.
    pub(crate) fn add_all(&self, other: &Value) {
        for (file, change) in other.as_array().expect("a list").iter().enumerate() {
            self.add(file, change.as_i64().expect("a number"));
        }
    }

    pub(crate) fn told(&self) -> Value {
        json!(self.numbers())
    }

    /// Whether every counter is what was acknowledged, and anything was.
    pub(crate) fn check(&self, counters: &[i64]) {
        let expected = self.numbers();
        let differing: BTreeMap<usize, (i64, i64)> = expected
            .iter()
            .zip(counters)
            .enumerate()
            .filter(|(_, (expected, counter))| expected != counter)
            .map(|(file, (expected, counter))| (file, (*expected, *counter)))
            .collect();
        assert!(
            differing.is_empty(),
            "file: (account, counter): {differing:?}"
        );
        assert!(
            expected.iter().any(|expected| *expected > 1),
            "nothing was done"
        );
    }

    fn numbers(&self) -> Vec<i64> {
        let numbers = self.0.iter();
        numbers
            .map(|number| number.load(Ordering::Relaxed))
            .collect()
    }
}
