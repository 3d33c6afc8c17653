//! The person who is asked for wider permissions.

use dsh_fs::types::Mode;

/// One question to a person. The host has made it from the canonical target; only the
/// justification is the model's, and is shown as a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The tool that is running.
    pub tool: &'static str,
    /// The canonical path of the file that it is to change, control characters escaped.
    pub path: String,
    /// The mode it asks for.
    pub mode: Mode,
    /// Why, in the words of the model, control characters escaped.
    pub justification: String,
    /// The label of the session.
    pub session_id: Option<String>,
    /// Whether the file is to be removed: the creation of it is being taken back.
    pub removes: bool,
}

/// What came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Yes, for this one mutation.
    AllowedOnce,
    /// No.
    Rejected,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked.
    Unavailable,
}

impl Decision {
    /// The name used in the audit.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AllowedOnce => "allowed-once",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Somebody who can be asked.
pub trait Approver: Send + Sync {
    /// Asks, and waits for the answer. The session does nothing else meanwhile, and the
    /// time is not charged to the call. Two sessions may ask at once.
    fn ask(&self, question: &Question) -> Decision;
}
