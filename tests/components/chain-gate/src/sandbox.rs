//! The interface `sandbox`: every question goes to the next link.

use crate::Link;
use crate::bindings::dsh::fs::sandbox as next;
use crate::bindings::exports::dsh::fs::sandbox::{
    Circumstances, ExecutionPolicy, Guest, ModeEvent, PolicyInputs, Refusal, SandboxMode,
};

impl Guest for Link {
    fn resolve_policy(inputs: PolicyInputs) -> ExecutionPolicy {
        next::resolve_policy(&next::PolicyInputs {
            approved: inputs.approved,
            session_mode: inputs.session_mode,
            default_mode: inputs.default_mode,
            session_cwd: inputs.session_cwd,
            configured_root: inputs.configured_root,
            session_id: inputs.session_id,
        })
    }

    fn fold_mode_events(events: Vec<ModeEvent>) -> Option<SandboxMode> {
        next::fold_mode_events(&events)
    }

    fn wider_modes(mode: SandboxMode) -> Vec<SandboxMode> {
        next::wider_modes(mode)
    }

    fn check_escalation(
        requested: Option<String>,
        justification: Option<String>,
    ) -> Result<Option<SandboxMode>, String> {
        next::check_escalation(requested.as_deref(), justification.as_deref())
    }

    fn judge_escalation(requested: SandboxMode, of: Circumstances) -> Result<(), String> {
        let circumstances = next::Circumstances {
            effective: of.effective,
            confined: of.confined,
            approver: of.approver,
            owner: of.owner,
        };
        next::judge_escalation(requested, circumstances)
    }

    fn escalation_refused(requested: SandboxMode, refusal: Refusal) -> String {
        let refusal = match refusal {
            Refusal::Rejected => next::Refusal::Rejected,
            Refusal::Cancelled => next::Refusal::Cancelled,
            Refusal::Unavailable => next::Refusal::Unavailable,
        };
        next::escalation_refused(requested, refusal)
    }

    fn denial_marker(mode: SandboxMode) -> String {
        next::denial_marker(mode)
    }

    fn escalation_hint() -> String {
        next::escalation_hint()
    }

    fn describe_policy(policy: ExecutionPolicy) -> String {
        next::describe_policy(&policy)
    }
}
