//! Arguments and answers of the tools, for callers in Rust.

use dsh_fs::types::{DirEntry, Mutation, Removal, Target, TextWindow};

/// Arguments of `read`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadArgs {
    /// The file.
    pub file_path: String,
    /// The first line, counted from 1.
    pub offset: Option<i64>,
    /// The most lines.
    pub limit: Option<i64>,
    /// The character of the first line to begin at, counted from 1.
    pub column: Option<i64>,
}

/// Wider permissions, as a model asks for them: both fields or neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Escalation {
    /// The name of the mode that is asked for.
    pub sandbox_permissions: Option<String>,
    /// Why.
    pub justification: Option<String>,
}

/// Arguments of `write`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteArgs {
    /// The file.
    pub file_path: String,
    /// The content, stored as given.
    pub content: String,
    /// Wider permissions.
    pub escalation: Escalation,
}

/// Arguments of `edit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditArgs {
    /// The file.
    pub file_path: String,
    /// The text to find.
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// Whether every occurrence is replaced.
    pub replace_all: bool,
    /// Wider permissions.
    pub escalation: Escalation,
}

/// One of the changes of `multi_edit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiEdit {
    /// The file.
    pub file_path: String,
    /// The text to find, in the file as the changes before this one left it.
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// Whether every occurrence is replaced.
    pub replace_all: bool,
}

/// Arguments of `multi_edit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiEditArgs {
    /// The changes, in order; at most [`crate::MOST_EDITS`].
    pub edits: Vec<MultiEdit>,
    /// Wider permissions. They are asked for at each change that needs them, and only there.
    pub escalation: Escalation,
}

/// Arguments of `undo`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoArgs {
    /// Wider permissions.
    pub escalation: Escalation,
}

/// Arguments of `list`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListArgs {
    /// The directory; the session's own where absent.
    pub file_path: Option<String>,
    /// The first entry, counted from 1.
    pub offset: Option<i64>,
    /// The most entries.
    pub limit: Option<i64>,
}

/// Answer of `read`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAnswer {
    /// What the model reads.
    pub text: String,
    /// The file.
    pub target: Target,
    /// The lines, and the facts about the whole.
    pub window: TextWindow,
}

/// Answer of `write` and `edit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeAnswer {
    /// What the model reads.
    pub text: String,
    /// What was done.
    pub mutation: Mutation,
}

/// Answer of `undo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoAnswer {
    /// The file has its former content again.
    Restored(ChangeAnswer),
    /// The files of a `multi_edit` have their former content again.
    RestoredTogether(MultiUndoAnswer),
    /// The file, which the change had created, is removed.
    Removed(RemovalAnswer),
}

/// What an undo of a `multi_edit` did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiUndoAnswer {
    /// What the model reads.
    pub text: String,
    /// What was done to each file, in order; at least one.
    pub changes: Vec<ChangeAnswer>,
}

/// What an undo of a creation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovalAnswer {
    /// What the model reads.
    pub text: String,
    /// What was removed.
    pub removal: Removal,
}

/// Answer of `multi_edit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiEditAnswer {
    /// What the model reads.
    pub text: String,
    /// What each change did, in order.
    pub changes: Vec<ChangeAnswer>,
    /// Whether a crash in the middle would have been rolled back at the next start.
    pub survives_a_crash: bool,
}

/// Answer of `list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListAnswer {
    /// What the model reads.
    pub text: String,
    /// The directory.
    pub target: Target,
    /// The entries of the window.
    pub entries: Vec<DirEntry>,
    /// The first entry returned, counted from 1.
    pub first_entry: u32,
    /// How many entries the directory has.
    pub total_entries: u32,
}
