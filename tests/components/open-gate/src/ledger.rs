//! A memory that is kept, and never asked.

use std::cell::RefCell;

use dsh_fs_policy as policy;

use crate::bindings::dsh::fs::types::{EditGuard, Error, Prior, Seed, Target, WriteGuard};
use crate::bindings::exports::dsh::fs::observation::{Fill, GuestLedger, Ledger};
use crate::vocabulary;

/// One owner's memory; it is kept, and never asked.
pub(crate) struct OwnerLedger(RefCell<policy::Ledger>);

impl GuestLedger for OwnerLedger {
    fn new(seed: Seed, capacity: u32) -> Self {
        Self(RefCell::new(policy::Ledger::new(
            vocabulary::seed(seed),
            capacity,
        )))
    }

    fn observe(&self, key: String, prior: Prior) {
        self.0.borrow_mut().observe(&key, vocabulary::prior(&prior));
    }

    fn prior_of(&self, key: String) -> Prior {
        match self.0.borrow().prior_of(&key) {
            policy::Prior::Unseen => Prior::Unseen,
            policy::Prior::Absent => Prior::Absent,
            policy::Prior::Present(version) => Prior::Present(version.to_owned()),
        }
    }

    fn write_intent(&self, _: String) -> WriteGuard {
        WriteGuard::Unconditional
    }

    fn edit_intent(&self, _: Target) -> Result<EditGuard, Error> {
        Ok(EditGuard::Unconditional)
    }

    fn fill(&self) -> Fill {
        let fill = self.0.borrow().fill();
        Fill {
            targets: fill.targets,
            capacity: fill.capacity,
            forgotten: fill.forgotten,
        }
    }

    fn snapshot(&self, page: u32) -> Option<String> {
        self.0.borrow().snapshot(page)
    }

    fn restore(&self, page: String) -> Result<(), String> {
        let taken = self.0.borrow_mut().restore(&page);
        taken.map_err(|refusal| policy::wording::page_refused(refusal).to_owned())
    }

    fn fork(&self) -> Ledger {
        Ledger::new(Self(RefCell::new(self.0.borrow().fork())))
    }
}
