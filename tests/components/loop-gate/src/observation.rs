//! The interface `observation`: the next link decides. `edit-intent` repeats what one
//! mutation asks, an intent and an observation, over the rounds that its display path
//! names.

use crate::Link;
use crate::bindings::dsh::fs::observation as next;
use crate::bindings::dsh::fs::types::{
    EditGuard, Error, ErrorCode, Prior, Seed, Target, WriteGuard,
};
use crate::bindings::exports::dsh::fs::observation::{Fill, Guest, GuestLedger, Ledger};
use crate::rounds::{Key, Rounds};

/// As long as the versions of the local backend.
const VERSION: &str = "AAAAAAAAAAAAAAAAAAAAAA";

impl Guest for Link {
    type Ledger = LinkLedger;

    fn decide_write(prior: Prior) -> WriteGuard {
        next::decide_write(&prior)
    }

    fn decide_edit(target: Target, prior: Prior) -> Result<EditGuard, Error> {
        next::decide_edit(&target, &prior)
    }

    fn with_remedy(code: ErrorCode, message: String) -> String {
        next::with_remedy(code, &message)
    }
}

/// One owner's memory: the next link keeps it.
pub(crate) struct LinkLedger(next::Ledger);

impl GuestLedger for LinkLedger {
    fn new(seed: Seed, capacity: u32) -> Self {
        Self(next::Ledger::new(seed, capacity))
    }

    fn observe(&self, key: String, prior: Prior) {
        self.0.observe(&key, &prior);
    }

    fn prior_of(&self, key: String) -> Prior {
        self.0.prior_of(&key)
    }

    fn write_intent(&self, key: String) -> WriteGuard {
        self.0.write_intent(&key)
    }

    fn edit_intent(&self, target: Target) -> Result<EditGuard, Error> {
        let Some(rounds) = Rounds::from_text(&target.display_path) else {
            return self.0.edit_intent(&target);
        };
        let (mut key, prior) = (Key::new(), Prior::Present(VERSION.to_owned()));
        for number in rounds.numbers() {
            let key = key.of(number);
            core::hint::black_box(self.0.write_intent(key));
            self.0.observe(key, &prior);
        }
        Ok(EditGuard::Unconditional)
    }

    fn fill(&self) -> Fill {
        let fill = self.0.fill();
        Fill {
            targets: fill.targets,
            capacity: fill.capacity,
            forgotten: fill.forgotten,
        }
    }

    fn snapshot(&self, page: u32) -> Option<String> {
        self.0.snapshot(page)
    }

    fn restore(&self, page: String) -> Result<(), String> {
        self.0.restore(&page)
    }

    fn fork(&self) -> Ledger {
        Ledger::new(Self(self.0.fork()))
    }
}
