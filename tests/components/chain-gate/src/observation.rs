//! The interface `observation`: this link decides, or the next one does.

use crate::Link;
use crate::bindings::dsh::fs::observation as next;
use crate::bindings::dsh::fs::types::{
    EditGuard, Error, ErrorCode, Prior, Seed, Target, WriteGuard,
};
use crate::bindings::exports::dsh::fs::observation::{Fill, Guest, GuestLedger, Ledger};

/// A version that no content has.
const NEVER: &str = "never";

impl Guest for Link {
    type Ledger = LinkLedger;

    fn decide_write(prior: Prior) -> WriteGuard {
        next::decide_write(&prior)
    }

    fn decide_edit(target: Target, prior: Prior) -> Result<EditGuard, Error> {
        match refusal(&target) {
            Some(error) => Err(error),
            None => next::decide_edit(&target, &prior),
        }
    }

    fn with_remedy(code: ErrorCode, message: String) -> String {
        next::with_remedy(code, &message)
    }
}

fn frozen(key: &str) -> bool {
    key.ends_with(".frozen")
}

fn refusal(target: &Target) -> Option<Error> {
    frozen(&target.key).then(|| Error {
        code: ErrorCode::PermissionDenied,
        message: format!(
            "cannot edit \"{}\": the file is frozen",
            target.display_path
        ),
        path: Some(target.display_path.clone()),
        detail: None,
    })
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
        assert!(!key.ends_with(".trap"), "this link breaks here on purpose");
        if frozen(&key) {
            return WriteGuard::ReplaceIfVersion(NEVER.to_owned());
        }
        self.0.write_intent(&key)
    }

    fn edit_intent(&self, target: Target) -> Result<EditGuard, Error> {
        match refusal(&target) {
            Some(error) => Err(error),
            None => self.0.edit_intent(&target),
        }
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
