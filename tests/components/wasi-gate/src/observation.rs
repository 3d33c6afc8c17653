//! The interface `observation`: nothing is demanded, and a message is a probe of WASI.

use crate::bindings::dsh::fs::types::{EditGuard, Error, ErrorCode, Prior, Target, WriteGuard};
use crate::bindings::exports::dsh::fs::observation::Guest;
use crate::ledger::OwnerLedger;
use crate::{Gate, probe};

impl Guest for Gate {
    type Ledger = OwnerLedger;

    fn decide_write(_: Prior) -> WriteGuard {
        WriteGuard::Unconditional
    }

    fn decide_edit(_: Target, _: Prior) -> Result<EditGuard, Error> {
        Ok(EditGuard::Unconditional)
    }

    fn with_remedy(_: ErrorCode, message: String) -> String {
        probe::look(&message).unwrap_or_else(|| format!("{message} It is {}.", probe::clock()))
    }
}
