//! One session as a model's tools see it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use dsh_fs::cancel::Cancel;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_runtime::{Answer, CallError, ModeSource, Session};
use serde_json::Value;

/// What comes with one call.
#[derive(Clone, Default)]
pub struct CallContext {
    /// By this the call is withdrawn, from any thread (`FS_ABORTED`), and it says how far
    /// the call is.
    pub cancel: Cancel,
}

/// One session. Calls may come from several threads at once: reads and lists run side by
/// side, mutations one after the other.
pub struct Agent {
    name: String,
    session: Mutex<Session>,
}

impl Agent {
    pub(crate) fn new(name: &str, session: Session) -> Self {
        Self {
            name: name.to_owned(),
            session: Mutex::new(session),
        }
    }

    /// The name of the session.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs a tool by name: `read`, `write`, `edit`, `multi_edit`, `list`, `undo` or
    /// `bash`. A wrong name or a wrong shape is `INVALID_ARGUMENTS`.
    pub fn call(&self, tool: &str, args: &Value, context: &CallContext) -> Answer {
        self.session().call_under(&context.cancel, tool, args)
    }

    /// Whether the session is confined to its mode, so that wider permissions can be asked
    /// for at all.
    #[must_use]
    pub fn is_confined(&self) -> bool {
        self.session().mode() != Mode::DangerFullAccess
    }

    /// The sentence that describes the policy of now to a model.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn policy_text(&self) -> Result<String, CallError> {
        self.session().policy_text()
    }

    /// The policy of a call without escalation.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn policy(&self) -> Result<ExecutionPolicy, CallError> {
        self.session().policy()
    }

    /// The canonical directories that a mutation of now may touch without a grant; empty
    /// where there are none, and where there is no limit.
    #[must_use]
    pub fn writable_roots(&self) -> Vec<String> {
        self.session().writable_roots()
    }

    /// The widest mode without a grant.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.session().mode()
    }

    /// Changes the mode: the decision of a person.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn set_mode(&self, mode: Mode) -> Result<(), CallError> {
        self.session().set_mode(mode, ModeSource::User)
    }

    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
