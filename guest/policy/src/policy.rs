//! Which policy one call has: the closest statement about mode and directory wins.

use alloc::string::String;

use crate::Mode;

/// Who changed the mode of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeSource {
    /// A person, or the embedder for one.
    User,
    /// Inherited when a sub-agent was started.
    Delegation,
}

/// One `sandbox/mode` event of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeEvent {
    /// The mode from here on.
    pub mode: Mode,
    /// Who said so.
    pub source: ModeSource,
}

/// Everything that bears on the policy of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The policy of one call, resolved. Only the host can make it count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionPolicy {
    /// What a mutation may touch.
    pub mode: Mode,
    /// The directory that is the first writable root, and the base of relative paths.
    pub workspace_root: String,
    /// Whose policy this is: a label, never a look-up of rights.
    pub session_id: Option<String>,
}

/// Resolves the policy of one call: the approved mode, else the session's, else the
/// deployment's; the session's directory, else the configured root.
///
/// The directory is taken as spelled: making it canonical needs the file system, and is
/// therefore the host's work.
pub fn resolve_policy(inputs: PolicyInputs) -> ExecutionPolicy {
    ExecutionPolicy {
        mode: inputs
            .approved
            .or(inputs.session_mode)
            .unwrap_or(inputs.default_mode),
        workspace_root: inputs.session_cwd.unwrap_or(inputs.configured_root),
        session_id: inputs.session_id,
    }
}

/// Folds the mode events of a session, oldest first: the last one counts, whoever it is
/// from, and no event leaves the session without a mode of its own.
pub fn fold_mode_events(events: impl IntoIterator<Item = ModeEvent>) -> Option<Mode> {
    events.into_iter().last().map(|event| event.mode)
}
