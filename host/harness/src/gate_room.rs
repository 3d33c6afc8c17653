//! The gate of a deployment, for decisions about commands: the same component that decides
//! about files, in a store of its own, started when it is first asked.

use std::sync::{Mutex, PoisonError};

use dsh_fs_runtime::gate::Gate;
use dsh_fs_runtime::{CallCode, CallError, ComponentSource, RuntimeOptions};

/// The gate of a deployment. A gate that breaks fails its call; the next call has a new one.
pub(crate) struct GateRoom {
    options: RuntimeOptions,
    gate: Mutex<Option<Gate>>,
}

impl GateRoom {
    pub(crate) fn new(options: RuntimeOptions) -> Self {
        Self {
            options,
            gate: Mutex::new(None),
        }
    }

    /// Asks the gate.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`: it cannot start, or broke.
    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce(&mut Gate) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        let mut room = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        let mut gate = match room.take() {
            Some(gate) => gate,
            None => self.start()?,
        };
        let answer = question(&mut gate)?;
        *room = Some(gate);
        Ok(answer)
    }

    /// A component that is toolbox and gate in one offers no gate: commands are then judged
    /// by the one that ships, and its files by its own.
    fn start(&self) -> Result<Gate, CallError> {
        let limits = self.options.limits;
        let started = match &self.options.component {
            ComponentSource::Gate(bytes) => {
                Gate::load(bytes, limits, self.options.code_cache.as_deref())
            }
            ComponentSource::Shipped | ComponentSource::Whole(_) => Gate::shipped(limits),
        };
        started.map_err(|error| CallError::of_call(CallCode::ComponentTrapped, error.to_string()))
    }
}
