//! The same memory three ways: natively, through the gate that ships, and through a link
//! that asks that gate in a loop.

#[path = "../../components/loop-gate/src/rounds.rs"]
#[allow(
    dead_code,
    reason = "the link reads rounds from text, a benchmark makes them"
)]
mod rounds;

use std::hint::black_box;

use anyhow::Result;
use dsh_fs::types::Target;
use dsh_fs_artifacts as artifacts;
use dsh_fs_policy as policy;
use dsh_fs_runtime::Limits;
use dsh_fs_runtime::gate::{Gate, Ledger, Prior, Seed};
use dsh_fs_tests::components::LOOP_GATE;

pub(crate) use rounds::{Key, Rounds};

/// As long as the versions of the local backend.
pub(crate) const VERSION: &str = "AAAAAAAAAAAAAAAAAAAAAA";

/// One seed for all, so that all do the same work.
const SEED: Seed = Seed { low: 1, high: 2 };

/// The ledger of `guest/policy`, called from Rust.
pub(crate) struct Native {
    ledger: policy::Ledger,
    key: Key,
}

impl Native {
    /// A key of 60 bytes.
    pub(crate) const ONE: &str = "/home/somebody/project/src/of/some/component/fil00000000.txt";

    /// An empty one.
    pub(crate) fn new() -> Self {
        let seed = policy::Seed {
            low: SEED.low,
            high: SEED.high,
        };
        Self {
            ledger: policy::Ledger::new(seed, 0),
            key: Key::new(),
        }
    }

    /// What one mutation asks.
    pub(crate) fn intent_and_observation(&mut self, key: &str) {
        black_box(self.ledger.write_intent(black_box(key)));
        let seen = policy::Prior::Present(black_box(VERSION));
        self.ledger.observe(key, seen);
    }

    /// The same, over and over.
    pub(crate) fn run(&mut self, rounds: Rounds) {
        for number in rounds.numbers() {
            let key = self.key.of(number);
            black_box(self.ledger.write_intent(key));
            self.ledger.observe(key, policy::Prior::Present(VERSION));
        }
    }
}

/// The gate that ships, called from an embedder.
pub(crate) struct Embedded {
    gate: Gate,
    ledger: Ledger,
}

impl Embedded {
    /// With an empty ledger.
    pub(crate) fn new() -> Result<Self> {
        let mut gate = Gate::shipped(Limits::default())?;
        let ledger = gate.ledger(SEED, 0)?;
        Ok(Self { gate, ledger })
    }

    /// What one mutation asks.
    pub(crate) fn intent_and_observation(&mut self, key: &str, seen: &Prior) {
        let guard = self.gate.write_intent(&self.ledger, key);
        black_box(guard.expect("the gate does not trap"));
        self.observe(key, seen);
    }

    /// The half that writes.
    pub(crate) fn observe(&mut self, key: &str, seen: &Prior) {
        let observed = self.gate.observe(&self.ledger, key, seen);
        observed.expect("the gate does not trap");
    }
}

/// The gate that ships, asked by a component.
pub(crate) struct Looped {
    gate: Gate,
    ledger: Ledger,
}

impl Looped {
    /// With an empty ledger.
    pub(crate) fn new() -> Result<Self> {
        let chained = artifacts::chain(LOOP_GATE, artifacts::GATE)?;
        let mut gate = Gate::load(&chained, Limits::default(), None)?;
        let ledger = gate.ledger(SEED, 0)?;
        Ok(Self { gate, ledger })
    }

    /// An intent and an observation, over and over, in one call from outside.
    pub(crate) fn run(&mut self, rounds: Rounds) {
        let Rounds {
            times,
            from,
            stride,
            targets,
            spread,
        } = rounds;
        let plan = Target {
            key: String::new(),
            display: format!("{times} {from} {stride} {targets} {spread}"),
        };
        let done = self.gate.edit_intent(&self.ledger, &plan);
        let done = done.expect("the gate does not trap");
        assert!(done.is_ok(), "the link did not understand its rounds");
    }
}
