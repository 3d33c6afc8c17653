//! The interface `observation`: what has been seen, and what follows from it.

use alloc::{borrow::ToOwned, string::String};
use core::cell::RefCell;

use dsh_fs_policy as policy;

use crate::{
    Gate,
    bindings::{
        dsh::fs::types::{EditGuard, Error, ErrorCode, Prior, Seed, Target, WriteGuard},
        exports::dsh::fs::observation::{Fill, Guest, GuestLedger, Ledger},
    },
    vocabulary,
};

impl Guest for Gate {
    type Ledger = OwnerLedger;

    fn decide_write(prior: Prior) -> WriteGuard {
        write_guard(policy::decide_write(vocabulary::prior(&prior)))
    }

    fn decide_edit(target: Target, prior: Prior) -> Result<EditGuard, Error> {
        edit_guard(
            policy::decide_edit(vocabulary::prior(&prior)),
            &target.display_path,
        )
    }

    fn with_remedy(code: ErrorCode, message: String) -> String {
        policy::wording::with_remedy(vocabulary::code(code), &message)
    }
}

/// One owner's memory behind a handle. Calls on one instance never overlap, so that the
/// cell is never borrowed twice.
pub(crate) struct OwnerLedger(RefCell<policy::Ledger>);

impl GuestLedger for OwnerLedger {
    fn new(seed: Seed, capacity: u32) -> Self {
        let ledger = policy::Ledger::new(vocabulary::seed(seed), capacity);
        OwnerLedger(RefCell::new(ledger))
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

    fn write_intent(&self, key: String) -> WriteGuard {
        write_guard(self.0.borrow().write_intent(&key))
    }

    fn edit_intent(&self, target: Target) -> Result<EditGuard, Error> {
        edit_guard(
            self.0.borrow().edit_intent(&target.key),
            &target.display_path,
        )
    }

    fn fill(&self) -> Fill {
        let policy::Fill {
            targets,
            capacity,
            forgotten,
        } = self.0.borrow().fill();
        Fill {
            targets,
            capacity,
            forgotten,
        }
    }

    fn snapshot(&self, page: u32) -> Option<String> {
        self.0.borrow().snapshot(page)
    }

    fn restore(&self, page: String) -> Result<(), String> {
        self.0
            .borrow_mut()
            .restore(&page)
            .map_err(|refusal| policy::wording::page_refused(refusal).to_owned())
    }

    fn fork(&self) -> Ledger {
        Ledger::new(OwnerLedger(RefCell::new(self.0.borrow().fork())))
    }
}

fn write_guard(guard: policy::WriteGuard<'_>) -> WriteGuard {
    match guard {
        policy::WriteGuard::CreateIfAbsent => WriteGuard::CreateIfAbsent,
        policy::WriteGuard::ReplaceIfVersion(version) => {
            WriteGuard::ReplaceIfVersion(version.to_owned())
        }
    }
}

fn edit_guard(
    decision: Result<policy::EditGuard<'_>, policy::EditRefusal>,
    display_path: &str,
) -> Result<EditGuard, Error> {
    match decision {
        Ok(policy::EditGuard(version)) => Ok(EditGuard::IfVersion(version.to_owned())),
        Err(refusal) => Err(Error {
            code: vocabulary::error_code(refusal.code()),
            message: policy::wording::edit_refused(refusal, display_path),
            path: Some(display_path.to_owned()),
            detail: None,
        }),
    }
}
