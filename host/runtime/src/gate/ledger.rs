//! The memory of one owner, as a handle into the store of its gate.

use dsh_fs::error::Error;
use dsh_fs::types::{EditGuard, Target, WriteGuard};
use wasmtime::component::ResourceAny;

use super::{Gate, Prior, Seed, exports, wit};
use crate::failure::CallError;

/// One owner's memory. It belongs to the gate that made it: another gate refuses it as
/// `COMPONENT_TRAPPED`.
#[derive(Clone, Copy, Debug)]
pub struct Ledger(ResourceAny);

/// How full a ledger is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Targets remembered.
    pub targets: u32,
    /// The most it remembers.
    pub capacity: u32,
    /// How many were forgotten for want of room.
    pub forgotten: u64,
}

/// Every method fails with `COMPONENT_TRAPPED` alone, where its own comment names nothing
/// else.
impl Gate {
    /// An empty memory; a capacity of 0 stands for the gate's own limit.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn ledger(&mut self, seed: Seed, capacity: u32) -> Result<Ledger, CallError> {
        let seed = wit::Seed {
            low: seed.low,
            high: seed.high,
        };
        self.enter(|gate, store| {
            let ledger = gate.dsh_fs_observation().ledger();
            ledger.call_constructor(store, seed, capacity)
        })
        .map(Ledger)
    }

    /// Records what was just seen of a target.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn observe(&mut self, ledger: &Ledger, key: &str, prior: &Prior) -> Result<(), CallError> {
        let key = key.to_owned();
        let prior = prior.clone().into();
        self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_observe(store, ledger.0, &key, &prior)
        })
    }

    /// What is known of a target.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn prior_of(&mut self, ledger: &Ledger, key: &str) -> Result<Prior, CallError> {
        let key = key.to_owned();
        let prior = self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_prior_of(store, ledger.0, &key)
        })?;
        Ok(prior.into())
    }

    /// Decides what a write must demand, over what is known.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn write_intent(&mut self, ledger: &Ledger, key: &str) -> Result<WriteGuard, CallError> {
        let key = key.to_owned();
        let guard = self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_write_intent(store, ledger.0, &key)
        })?;
        Ok(guard.into())
    }

    /// Decides what an edit must demand, over what is known.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`; the inner error is the gate's refusal.
    pub fn edit_intent(
        &mut self,
        ledger: &Ledger,
        target: &Target,
    ) -> Result<Result<EditGuard, Error>, CallError> {
        let target = target.clone().into();
        let decision = self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_edit_intent(store, ledger.0, &target)
        })?;
        Ok(decision.map(Into::into).map_err(Into::into))
    }

    /// How full a memory is.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn fill(&mut self, ledger: &Ledger) -> Result<Fill, CallError> {
        let fill = self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_fill(store, ledger.0)
        })?;
        Ok(fill.into())
    }

    /// One page of a memory, from page 0 on; nothing after the last.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn snapshot(&mut self, ledger: &Ledger, page: u32) -> Result<Option<String>, CallError> {
        self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_snapshot(store, ledger.0, page)
        })
    }

    /// Takes one page of a snapshot in; the inner error says why a page is none.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn restore(
        &mut self,
        ledger: &Ledger,
        page: &str,
    ) -> Result<Result<(), String>, CallError> {
        self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_restore(store, ledger.0, page)
        })
    }

    /// An independent copy.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn fork(&mut self, ledger: &Ledger) -> Result<Ledger, CallError> {
        self.enter(|gate, store| {
            let methods = gate.dsh_fs_observation().ledger();
            methods.call_fork(store, ledger.0)
        })
        .map(Ledger)
    }

    /// Forgets everything that a memory holds.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn forget(&mut self, ledger: Ledger) -> Result<(), CallError> {
        self.enter(|_, store| ledger.0.resource_drop(store))
    }
}

impl From<exports::observation::Fill> for Fill {
    fn from(value: exports::observation::Fill) -> Self {
        Self {
            targets: value.targets,
            capacity: value.capacity,
            forgotten: value.forgotten,
        }
    }
}
