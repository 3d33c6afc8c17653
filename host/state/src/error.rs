//! Why the database did not do what was asked.

use std::path::PathBuf;

use crate::wording;

/// What failed. [`StateError::code`] is stable; the text is a sentence for people.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The file cannot be used: others could change it, or the system refused it.
    #[error("{}", wording::unusable(path, why))]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The file is a database of something else. It was not touched.
    #[error("{}", wording::foreign(.0))]
    Foreign(PathBuf),
    /// The file was written by a later release. It was not touched.
    #[error("{}", wording::newer(path, *found))]
    Newer {
        /// The file.
        path: PathBuf,
        /// The number of its layout.
        found: i64,
    },
    /// A name of a session is 1 to 128 characters, none of them a control character.
    #[error("{}", wording::bad_name(.0))]
    BadName(String),
    /// There is no such session.
    #[error("{}", wording::unknown_session(.0))]
    UnknownSession(String),
    /// The session was started in another directory, which never changes.
    #[error("{}", wording::session_elsewhere(name, cwd))]
    SessionElsewhere {
        /// The session.
        name: String,
        /// Its directory.
        cwd: String,
    },
    /// There is a session of this name already.
    #[error("{}", wording::session_exists(.0))]
    SessionExists(String),
    /// Another process saved the session meanwhile.
    #[error("{}", wording::moved(.0))]
    Moved(String),
    /// The caller stopped waiting for the session.
    #[error("{}", wording::cancelled(.0))]
    Cancelled(String),
    /// There is no such directory.
    #[error("{}", wording::no_directory(path, why))]
    NoDirectory {
        /// As it was spelled.
        path: String,
        /// Why.
        why: String,
    },
    /// There is no such workspace.
    #[error("{}", wording::unknown_workspace(.0))]
    UnknownWorkspace(String),
    /// The session does not belong to the workspace.
    #[error("{}", wording::misplaced(session, why))]
    Misplaced {
        /// The session.
        session: String,
        /// Why not.
        why: Misplaced,
    },
    /// What is to be moved, or moved ahead of, is not there.
    #[error("{}", wording::not_accounted(name, *anchor))]
    NotAccounted {
        /// Its name.
        name: String,
        /// Whether it is the one to be moved ahead of.
        anchor: bool,
    },
    /// The database failed; the change was not made.
    #[error("{}", wording::failed(.0))]
    Failed(#[from] rusqlite::Error),
}

impl StateError {
    /// The name of this kind of failure, the same in every release.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unusable { .. } => "STATE_UNUSABLE",
            Self::Foreign(_) => "STATE_FOREIGN",
            Self::Newer { .. } => "STATE_NEWER",
            Self::BadName(_) => "INVALID_ARGUMENTS",
            Self::UnknownSession(_) => "UNKNOWN_SESSION",
            Self::SessionElsewhere { .. } => "SESSION_ELSEWHERE",
            Self::SessionExists(_) => "SESSION_EXISTS",
            Self::Moved(_) => "SESSION_MOVED",
            Self::Cancelled(_) => "FS_ABORTED",
            Self::NoDirectory { .. } => "WORKSPACE_NO_DIRECTORY",
            Self::UnknownWorkspace(_) => "UNKNOWN_WORKSPACE",
            Self::Misplaced { .. } => "SESSION_MISPLACED",
            Self::NotAccounted { .. } => "SESSION_NOT_ACCOUNTED",
            Self::Failed(_) => "STATE_FAILED",
        }
    }
}

/// Why a session does not belong to a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// It has no directory.
    NoDirectory,
    /// Nothing is there any more.
    Unresolved(String),
    /// It is something else by now.
    File(String),
    /// It is another directory.
    Elsewhere(String),
}
