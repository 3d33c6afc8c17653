//! A session in the database: the only file of this room that reads and writes its memory.

use dsh_fs::cancel::Cancel;
use dsh_fs::types::Mode;
use dsh_fs_runtime::{CallCode, CallError, ModeSource};
use dsh_fs_state::{self as state, SessionLock, Since, StateError, Store};

use crate::error::io_failure;
use crate::rules::Rules;
use crate::wording;

/// A session in the database.
pub(crate) struct Durable {
    store: Store,
    name: String,
    rules: Rules,
}

impl Durable {
    pub(crate) fn new(store: Store, rules: Rules) -> Self {
        Self {
            store,
            name: rules.session.clone(),
            rules,
        }
    }

    /// The right to change something, across processes; nothing if the call is withdrawn
    /// while another process has it.
    pub(crate) fn lock(&self, cancel: &Cancel) -> Result<Option<SessionLock>, CallError> {
        self.lock_unless(&|| cancel.is_cancelled())
    }

    /// The same, where no other process has it.
    pub(crate) fn try_lock(&self) -> Result<Option<SessionLock>, CallError> {
        self.lock_unless(&|| true)
    }

    fn lock_unless(&self, cancelled: &dyn Fn() -> bool) -> Result<Option<SessionLock>, CallError> {
        match self.store.lock_session(&self.name, cancelled) {
            Ok(lock) => Ok(Some(lock)),
            Err(StateError::Cancelled(_)) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    /// What was saved since this generation.
    pub(crate) fn since(&self, generation: u64) -> Result<Since, CallError> {
        let since = self.store.memory_since(&self.name, generation);
        since.map_err(|error| failed(&error))
    }

    /// Adds pages to what is saved, and the changes where they are given; answers the
    /// generation.
    pub(crate) fn append(&self, pages: &[String], changes: Option<&str>) -> Result<u64, CallError> {
        let saved = self.store.append_memory(&self.name, pages, changes);
        saved.map_err(|error| failed(&error))
    }

    /// Saves all that is known in place of what was saved; nothing where another process
    /// saved meanwhile.
    pub(crate) fn replace(
        &self,
        generation: u64,
        pages: &[String],
        changes: &str,
    ) -> Result<Option<u64>, CallError> {
        match self
            .store
            .save_memory(&self.name, generation, pages, changes)
        {
            Ok(generation) => Ok(Some(generation)),
            Err(StateError::Moved(_)) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    /// The mode that a person last gave the session.
    pub(crate) fn mode(&self) -> Result<Option<(Mode, ModeSource)>, CallError> {
        let event = self.store.last_mode(&self.name);
        let event = event.map_err(|error| failed(&error))?;
        Ok(event.map(|event| {
            let source = match event.source {
                state::ModeSource::Delegation => ModeSource::Delegation,
                state::ModeSource::User => ModeSource::User,
            };
            (self.rules.capped(event.mode), source)
        }))
    }

    /// Writes down that a person gave the session a mode.
    pub(crate) fn set_mode(&self, mode: Mode) -> Result<(), CallError> {
        let source = state::ModeSource::User;
        let written = self.store.append_mode(&self.name, mode, source);
        written.map_err(|error| failed(&error))
    }
}

/// A failure of the database as that of a call.
pub(crate) fn failed(error: &StateError) -> CallError {
    match error {
        StateError::UnknownSession(_) => {
            CallError::of_call(CallCode::UnknownSession, error.to_string())
        }
        _ => io_failure(wording::database(&error.to_string())),
    }
}
