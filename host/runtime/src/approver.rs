//! The person who is asked for wider permissions.

use dsh_fs::types::Mode;

/// One question to a person. The host has made it from the canonical target and from the
/// arguments of the call that runs; only the justification is the model's word, and is
/// shown as a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The tool that is running.
    pub tool: &'static str,
    /// The canonical key of the file that it is to change, for who remembers an answer:
    /// not fit to be shown, since it holds names as they are.
    pub key: String,
    /// The same as a person may be shown it, control characters escaped.
    pub path: String,
    /// The canonical workspace root of the session.
    pub workspace_root: String,
    /// The mode it asks for.
    pub mode: Mode,
    /// Why, in the words of the model, control characters escaped.
    pub justification: String,
    /// The label of the session.
    pub session_id: Option<String>,
    /// What is to be done to the file; `None` where the running call is no change of one
    /// file. A yes is good for exactly this change.
    pub change: Option<Change>,
}

/// What is to be done to a file, as a person may be shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What becomes of the file.
    pub kind: ChangeKind,
    /// Lines of a unified diff, at most 40 of them and 4 KiB, control characters escaped,
    /// none with a line ending.
    pub lines: Vec<String>,
    /// Whether something was left out of `lines`.
    pub cut: bool,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// There is none; the lines are the new content.
    Creates,
    /// The content is replaced; the lines are the difference.
    Replaces,
    /// The content is replaced, and what is there now is too large to compare, is no text,
    /// or cannot be read; the lines are the new content.
    ReplacesUnread,
    /// One place is replaced; the lines are the old text and the new one.
    Edits,
    /// Every occurrence is replaced; the lines are the old text and the new one.
    EditsAll,
}

/// How far an answer reaches that is remembered: one tool, one file and one mode, each
/// time that they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In this session.
    Session,
    /// In every session of this workspace.
    Workspace,
}

impl Scope {
    /// The name used on every surface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Workspace => "workspace",
        }
    }
}

/// What came back.
///
/// For the component every yes is the same: one grant, for one mutation. To remember an
/// answer is the approver's: asked the same again it answers [`Self::Remembered`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Yes, for this one mutation.
    AllowedOnce,
    /// Yes, and from now on for this tool, file and mode in this session.
    AllowedForSession,
    /// Yes, and from now on for this tool, file and mode in this workspace.
    AllowedForWorkspace,
    /// Yes: a person has answered before, and nobody was asked now.
    Remembered(Scope),
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
            Self::AllowedForSession => "allowed-for-session",
            Self::AllowedForWorkspace => "allowed-for-workspace",
            Self::Remembered(Scope::Session) => "remembered-for-session",
            Self::Remembered(Scope::Workspace) => "remembered-for-workspace",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
        }
    }

    /// Whether the mutation may be made.
    #[must_use]
    pub fn is_yes(self) -> bool {
        match self {
            Self::AllowedOnce
            | Self::AllowedForSession
            | Self::AllowedForWorkspace
            | Self::Remembered(_) => true,
            Self::Rejected | Self::Cancelled | Self::Unavailable => false,
        }
    }
}

/// Somebody who can be asked.
pub trait Approver: Send + Sync {
    /// Asks, and waits for the answer. The session does nothing else meanwhile, and the
    /// time is not charged to the call. Two sessions may ask at once.
    fn ask(&self, question: &Question) -> Decision;
}
