//! Why a deployment, or a session of it, could not be opened.

use dsh_fs::error::Code;
use dsh_fs_runtime::{CallCode, CallError, FailureCode, LoadError};

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
    /// The database does not give the session, or cannot be used.
    #[error("{0}")]
    Database(CallError),
}

impl HarnessError {
    /// The same as the failure of a call, for a surface on which sessions start when they
    /// are first named.
    #[must_use]
    pub fn into_call(self) -> CallError {
        match self {
            Self::Workspace(error) | Self::Session(error) | Self::Database(error) => error,
            Self::Component(error) => {
                CallError::of_call(CallCode::ComponentTrapped, error.to_string())
            }
        }
    }

    /// A session that could not be taken up: by its code, the component or the database.
    pub(crate) fn of_start(error: CallError) -> Self {
        match error.code {
            FailureCode::Call(CallCode::ComponentTrapped) => Self::Session(error),
            _ => Self::Database(error),
        }
    }
}

/// The system failed, where no file is what failed.
pub(crate) fn io_failure(message: String) -> CallError {
    CallError {
        code: FailureCode::File(Code::IoError),
        ..CallError::of_call(CallCode::UnknownSession, message)
    }
}
