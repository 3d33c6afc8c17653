//! One session as a model's tools see it.

use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_runtime::{Answer, AuditSink, CallError};
use serde_json::Value;

use crate::bash::Bash;
use crate::error::io_failure;
use crate::lanes::{Call, Lanes};
use crate::wording;

/// What comes with one call.
#[derive(Clone, Default)]
pub struct CallContext {
    /// By this the call is withdrawn, from any thread (`FS_ABORTED`), and it says how far
    /// the call is.
    pub cancel: Cancel,
}

/// One session. Calls may come from several threads at once: reads and lists run side by
/// side, mutations one after the other, commands beside both.
///
/// With a database it lasts: what was seen, and what can be taken back, is saved before a
/// call is answered, so that a process that dies loses at most the call in flight. Several
/// processes may have one session at once; their mutations too come one after the other.
pub struct Agent {
    name: String,
    pub(crate) lanes: Lanes,
    bash: Bash,
    /// The audit, where nothing is to be changed without it.
    recorded: Option<Arc<dyn AuditSink>>,
}

impl Agent {
    pub(crate) fn new(
        name: &str,
        lanes: Lanes,
        bash: Bash,
        recorded: Option<Arc<dyn AuditSink>>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            lanes,
            bash,
            recorded,
        }
    }

    /// The name of the session.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs a tool by name: `read`, `write`, `edit`, `multi_edit`, `list`, `undo` or
    /// `bash`. A wrong name or a wrong shape is `INVALID_ARGUMENTS`.
    ///
    /// Where the session cannot be saved afterwards, the answer stands and says so. Where the
    /// deployment wants every change in an audit (`audit-failure = "refuse"`), nothing is
    /// changed and no command runs while it cannot be written: `FS_IO_ERROR`.
    pub fn call(&self, tool: &str, args: &Value, context: &CallContext) -> Answer {
        let cancel = &context.cancel;
        let call = Call { tool, args, cancel };
        if !matches!(tool, "read" | "list") && !self.is_recorded() {
            return io_failure(wording::not_recorded()).into();
        }
        match tool {
            "bash" => self.bash.call(&self.lanes, args, cancel),
            "read" | "list" => self.lanes.look(&call),
            _ => self.lanes.change(&call),
        }
    }

    fn is_recorded(&self) -> bool {
        self.recorded
            .as_ref()
            .is_none_or(|audit| audit.is_written())
    }

    /// Whether the session is confined to its mode, so that wider permissions can be asked
    /// for at all.
    #[must_use]
    pub fn is_confined(&self) -> bool {
        self.mode() != Mode::DangerFullAccess
    }

    /// Whether commands can be run at all.
    #[must_use]
    pub fn has_shell(&self) -> bool {
        self.bash.shell.is_some()
    }

    /// The sentence that describes the policy of now to a model.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn policy_text(&self) -> Result<String, CallError> {
        self.lanes.reader()?.policy_text()
    }

    /// The policy of a call without escalation.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn policy(&self) -> Result<ExecutionPolicy, CallError> {
        self.lanes.reader()?.policy()
    }

    /// The canonical directories that a mutation of now may touch without a grant; empty
    /// where there are none, and where there is no limit.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn writable_roots(&self) -> Result<Vec<String>, CallError> {
        Ok(self.lanes.reader()?.writable_roots())
    }

    /// The widest mode without a grant, as of the last call.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.lanes.mode()
    }

    /// Changes the mode: the decision of a person. It waits for the call that runs, and
    /// lasts as the session does.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`; `FS_IO_ERROR` and `UNKNOWN_SESSION`, of the database.
    pub fn set_mode(&self, mode: Mode) -> Result<(), CallError> {
        self.lanes.set_mode(mode)
    }
}
