//! What a gate can be asked, however it is reached: natively or as a component.

use anyhow::Result;

/// What an owner knows of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Never looked at.
    Unseen,
    /// Looked at, and nothing was there.
    Absent,
    /// Looked at, with this version.
    Present(String),
}

/// What a mutation must demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Nothing is there.
    Create,
    /// This version is there.
    Version(String),
    /// Nothing is demanded.
    Unconditional,
}

/// A refusal: a code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The protocol string.
    pub code: String,
    /// The sentence.
    pub message: String,
}

/// The inputs of a policy; modes by name.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// What the events fold to.
    pub session_mode: Option<String>,
    /// The mode of the deployment.
    pub default_mode: String,
    /// The directory of the session.
    pub session_cwd: Option<String>,
    /// The root of the deployment.
    pub configured_root: String,
    /// The session.
    pub session_id: Option<String>,
}

/// A policy; the mode by name.
#[derive(Clone, Debug)]
pub struct Policy {
    /// What a mutation may touch.
    pub mode: String,
    /// The root.
    pub workspace_root: String,
    /// The session.
    pub session_id: Option<String>,
}

/// The circumstances of an escalation; the mode by name.
#[derive(Clone, Debug)]
pub struct Circumstances {
    /// The mode of the call.
    pub effective: String,
    /// Whether anybody can be asked.
    pub approver: bool,
    /// Whether the call has a session.
    pub owner: bool,
}

/// A literal edit of a text. A byte order mark is text.
#[derive(Clone, Copy, Debug)]
pub struct PlainEdit<'a> {
    /// The whole text.
    pub content: &'a str,
    /// What is looked for.
    pub old: &'a str,
    /// What takes its place.
    pub new: &'a str,
    /// Everywhere, or at the only place.
    pub all: bool,
}

/// The questions. A mode that does not exist is the runner's mistake, and an error.
pub trait Brain {
    /// A new, empty ledger; the answer names it.
    fn ledger(&mut self) -> Result<usize>;
    /// Records what was seen.
    fn observe(&mut self, ledger: usize, key: &str, prior: &Prior) -> Result<()>;
    /// What a write must demand.
    fn write_intent(&mut self, ledger: usize, key: &str) -> Result<Intent>;
    /// What an edit must demand.
    fn edit_intent(&mut self, ledger: usize, key: &str) -> Result<Result<Intent, Refusal>>;
    /// What a write must demand of a call without an owner.
    fn decide_write(&mut self, prior: &Prior) -> Result<Intent>;
    /// What an edit must demand of a call without an owner.
    fn decide_edit(&mut self, key: &str, prior: &Prior) -> Result<Result<Intent, Refusal>>;
    /// The message with its remedy.
    fn with_remedy(&mut self, code: &str, message: &str) -> Result<String>;
    /// Checks the two arguments of an escalation.
    fn check_escalation(
        &mut self,
        requested: Option<&str>,
        justification: Option<&str>,
    ) -> Result<Result<(), String>>;
    /// Judges whether a person may be asked.
    fn judge(&mut self, requested: &str, of: &Circumstances) -> Result<Result<(), String>>;
    /// The sentence for an answer (`rejected`, `cancelled`, `unavailable`).
    fn refused(&mut self, requested: &str, answer: &str) -> Result<String>;
    /// Resolves a policy.
    fn resolve(&mut self, inputs: &Inputs) -> Result<Policy>;
    /// Folds the modes of a session's events.
    fn fold(&mut self, modes: &[String]) -> Result<Option<String>>;
    /// How many functions of a next gate this one could call.
    fn nexts(&self) -> Result<usize>;
    /// Edits a text by its own rules, where it has any; the refusal is a code.
    fn apply_edit(&mut self, _edit: &PlainEdit<'_>) -> Result<Option<Result<String, String>>> {
        Ok(None)
    }
    /// Describes a policy to a model.
    fn describe(&mut self, policy: &Policy) -> Result<String>;
}
