//! The interface `sandbox`: modes, policies, escalation, and how they are told.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use dsh_fs_policy::{self as policy, wording};

use crate::{
    Gate,
    bindings::exports::dsh::fs::sandbox::{
        Circumstances, ExecutionPolicy, Guest, ModeEvent, PolicyInputs, Refusal, SandboxMode,
    },
    vocabulary::{execution_policy, mode, mode_event, resolved_policy, sandbox_mode},
};

impl Guest for Gate {
    fn resolve_policy(inputs: PolicyInputs) -> ExecutionPolicy {
        resolved_policy(policy::resolve_policy(policy::PolicyInputs {
            approved: inputs.approved.map(mode),
            session_mode: inputs.session_mode.map(mode),
            default_mode: mode(inputs.default_mode),
            session_cwd: inputs.session_cwd,
            configured_root: inputs.configured_root,
            session_id: inputs.session_id,
        }))
    }

    fn fold_mode_events(events: Vec<ModeEvent>) -> Option<SandboxMode> {
        policy::fold_mode_events(events.into_iter().map(mode_event)).map(sandbox_mode)
    }

    fn wider_modes(narrow: SandboxMode) -> Vec<SandboxMode> {
        let wider = mode(narrow).wider_modes();
        wider.iter().copied().map(sandbox_mode).collect()
    }

    fn check_escalation(
        requested: Option<String>,
        justification: Option<String>,
    ) -> Result<Option<SandboxMode>, String> {
        match policy::check_escalation(requested.as_deref(), justification.as_deref()) {
            Ok(asked) => Ok(asked.map(sandbox_mode)),
            Err(refusal) => Err(wording::arguments_refused(refusal).to_owned()),
        }
    }

    fn judge_escalation(
        requested: SandboxMode,
        circumstances: Circumstances,
    ) -> Result<(), String> {
        let circumstances = policy::Circumstances {
            effective: mode(circumstances.effective),
            confined: circumstances.confined,
            approver: circumstances.approver,
            owner: circumstances.owner,
        };
        policy::judge_escalation(mode(requested), circumstances)
            .map_err(wording::escalation_not_asked)
    }

    fn escalation_refused(requested: SandboxMode, refusal: Refusal) -> String {
        let outcome = match refusal {
            Refusal::Rejected => policy::Outcome::Rejected,
            Refusal::Cancelled => policy::Outcome::Cancelled,
            Refusal::Unavailable => policy::Outcome::Unavailable,
        };
        wording::escalation_refused(mode(requested), outcome)
    }

    fn denial_marker(denied: SandboxMode) -> String {
        wording::denial_marker(mode(denied))
    }

    fn escalation_hint() -> String {
        wording::escalation_hint().to_owned()
    }

    fn describe_policy(policy: ExecutionPolicy) -> String {
        wording::describe_policy(&execution_policy(policy))
    }
}
