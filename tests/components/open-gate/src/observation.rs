//! The interface `observation`: what was seen is remembered, and nothing else demanded.

use dsh_fs_policy as policy;

use crate::Gate;
use crate::bindings::dsh::fs::types::{EditGuard, Error, ErrorCode, Prior, Target, WriteGuard};
use crate::bindings::exports::dsh::fs::observation::Guest;
use crate::ledger::OwnerLedger;
use crate::vocabulary;

impl Guest for Gate {
    type Ledger = OwnerLedger;

    fn decide_write(_: Prior) -> WriteGuard {
        WriteGuard::Unconditional
    }

    fn decide_edit(_: Target, _: Prior) -> Result<EditGuard, Error> {
        Ok(EditGuard::Unconditional)
    }

    fn with_remedy(code: ErrorCode, message: String) -> String {
        policy::wording::with_remedy(vocabulary::code(code), &message)
    }
}
