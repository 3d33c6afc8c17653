//! What a mutation must demand, given what its owner knows of the target.
//!
//! A decided guard is never "unconditional": that an embedder may ask a bare provider for,
//! and no decision here can be mistaken for it.

use crate::ErrorCode;

/// What an owner knows of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prior<'a> {
    /// Never looked at.
    Unseen,
    /// Looked at, and nothing was there.
    Absent,
    /// Looked at, with the content of this version.
    Present(&'a str),
}

/// What must hold at the moment a whole file is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteGuard<'a> {
    /// Nothing is there.
    CreateIfAbsent,
    /// Exactly this version is there.
    ReplaceIfVersion(&'a str),
}

/// What must hold at the moment an edited file is published: exactly this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditGuard<'a>(
    /// The version that was seen.
    pub &'a str,
);

/// Why an edit is not even tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditRefusal {
    /// The file was never looked at.
    NotObserved,
    /// The file was looked at, and nothing was there.
    Absent,
}

impl EditRefusal {
    /// The code of the failure: `FS_NOT_OBSERVED` or `FS_NOT_FOUND`.
    pub fn code(self) -> ErrorCode {
        match self {
            EditRefusal::NotObserved => ErrorCode::NotObserved,
            EditRefusal::Absent => ErrorCode::NotFound,
        }
    }
}

/// Decides what a write must demand: unseen and absent may only create, present replaces
/// only the version that was seen.
pub fn decide_write(prior: Prior<'_>) -> WriteGuard<'_> {
    match prior {
        Prior::Unseen | Prior::Absent => WriteGuard::CreateIfAbsent,
        Prior::Present(version) => WriteGuard::ReplaceIfVersion(version),
    }
}

/// Decides what an edit must demand: the version that was seen. An unseen target and one
/// that was seen to be absent are refused.
pub fn decide_edit(prior: Prior<'_>) -> Result<EditGuard<'_>, EditRefusal> {
    match prior {
        Prior::Unseen => Err(EditRefusal::NotObserved),
        Prior::Absent => Err(EditRefusal::Absent),
        Prior::Present(version) => Ok(EditGuard(version)),
    }
}
