//! The half of the gate that judges modes.

use dsh_fs::types::{ExecutionPolicy, Mode};

use super::{Gate, exports, wit};
use crate::convert::all;
use crate::failure::CallError;
use crate::options::ModeSource;

/// Everything that bears on the policy of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyInputs {
    /// The mode a person approved for this call.
    pub approved: Option<Mode>,
    /// The mode the session's events fold to.
    pub session_mode: Option<Mode>,
    /// The mode of the deployment.
    pub default_mode: Mode,
    /// The directory of the session.
    pub session_cwd: Option<String>,
    /// The root of the deployment.
    pub configured_root: String,
    /// The session, as a label.
    pub session_id: Option<String>,
}

/// What an escalation needs besides a wider mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// The mode the call has without it.
    pub effective: Mode,
    /// Whether the provider confines at all.
    pub confined: bool,
    /// Whether anybody can be asked.
    pub approver: bool,
    /// Whether the call belongs to a session through which to ask.
    pub owner: bool,
}

/// An answer that is not a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The person said no.
    Rejected,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked.
    Unavailable,
}

impl Gate {
    /// Resolves the policy of one call.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn resolve_policy(&mut self, inputs: &PolicyInputs) -> Result<ExecutionPolicy, CallError> {
        let inputs = inputs.clone().into();
        let policy =
            self.enter(|gate, store| gate.dsh_fs_sandbox().call_resolve_policy(store, &inputs))?;
        Ok(policy.into())
    }

    /// Folds the mode events of a session, oldest first.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn fold_mode_events(
        &mut self,
        events: &[(Mode, ModeSource)],
    ) -> Result<Option<Mode>, CallError> {
        let events: Vec<wit::ModeEvent> = events
            .iter()
            .map(|(mode, source)| wit::ModeEvent {
                mode: (*mode).into(),
                source: (*source).into(),
            })
            .collect();
        let mode =
            self.enter(|gate, store| gate.dsh_fs_sandbox().call_fold_mode_events(store, &events))?;
        Ok(mode.map(Into::into))
    }

    /// The modes strictly wider than this one, narrowest first.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn wider_modes(&mut self, mode: Mode) -> Result<Vec<Mode>, CallError> {
        let modes =
            self.enter(|gate, store| gate.dsh_fs_sandbox().call_wider_modes(store, mode.into()))?;
        Ok(all(modes))
    }

    /// Checks the two escalation arguments of a call; the inner error is a sentence.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn check_escalation(
        &mut self,
        requested: Option<&str>,
        justification: Option<&str>,
    ) -> Result<Result<Option<Mode>, String>, CallError> {
        let checked = self.enter(|gate, store| {
            gate.dsh_fs_sandbox()
                .call_check_escalation(store, requested, justification)
        })?;
        Ok(checked.map(|mode| mode.map(Into::into)))
    }

    /// Judges whether a person may be asked; the inner error is a sentence.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn judge_escalation(
        &mut self,
        requested: Mode,
        circumstances: Circumstances,
    ) -> Result<Result<(), String>, CallError> {
        self.enter(|gate, store| {
            gate.dsh_fs_sandbox().call_judge_escalation(
                store,
                requested.into(),
                circumstances.into(),
            )
        })
    }

    /// The sentence for an escalation that was not approved.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn escalation_refused(
        &mut self,
        requested: Mode,
        refusal: Refusal,
    ) -> Result<String, CallError> {
        self.enter(|gate, store| {
            gate.dsh_fs_sandbox()
                .call_escalation_refused(store, requested.into(), refusal.into())
        })
    }

    /// The line that marks a denial.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn denial_marker(&mut self, mode: Mode) -> Result<String, CallError> {
        self.enter(|gate, store| gate.dsh_fs_sandbox().call_denial_marker(store, mode.into()))
    }

    /// The line that tells a model how to ask for more.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn escalation_hint(&mut self) -> Result<String, CallError> {
        self.enter(|gate, store| gate.dsh_fs_sandbox().call_escalation_hint(store))
    }

    /// The sentence that describes a policy to a model.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn describe_policy(&mut self, policy: &ExecutionPolicy) -> Result<String, CallError> {
        let policy = policy.clone().into();
        self.enter(|gate, store| gate.dsh_fs_sandbox().call_describe_policy(store, &policy))
    }
}

impl From<PolicyInputs> for exports::sandbox::PolicyInputs {
    fn from(value: PolicyInputs) -> Self {
        Self {
            approved: value.approved.map(Into::into),
            session_mode: value.session_mode.map(Into::into),
            default_mode: value.default_mode.into(),
            session_cwd: value.session_cwd,
            configured_root: value.configured_root,
            session_id: value.session_id,
        }
    }
}

impl From<Circumstances> for exports::sandbox::Circumstances {
    fn from(value: Circumstances) -> Self {
        Self {
            effective: value.effective.into(),
            confined: value.confined,
            approver: value.approver,
            owner: value.owner,
        }
    }
}

impl From<Refusal> for exports::sandbox::Refusal {
    fn from(value: Refusal) -> Self {
        match value {
            Refusal::Rejected => Self::Rejected,
            Refusal::Cancelled => Self::Cancelled,
            Refusal::Unavailable => Self::Unavailable,
        }
    }
}
