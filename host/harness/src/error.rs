//! Why a deployment, or a session of it, could not be opened.

use dsh_fs_runtime::{CallError, LoadError};

/// Why a deployment, or a session of it, could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// The workspace cannot be used.
    #[error("{}", .0.message)]
    Workspace(CallError),
    /// The component cannot be used.
    #[error("{0}")]
    Component(#[from] LoadError),
    /// The session cannot start.
    #[error("{0}")]
    Session(CallError),
}

impl HarnessError {
    /// The same as the failure of a call, for a surface on which sessions start when they
    /// are first named.
    #[must_use]
    pub fn into_call(self) -> CallError {
        match self {
            Self::Workspace(error) | Self::Session(error) => error,
            Self::Component(error) => CallError::of_call(
                dsh_fs_runtime::CallCode::ComponentTrapped,
                error.to_string(),
            ),
        }
    }
}
