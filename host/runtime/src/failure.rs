//! What a caller gets when there is no answer.

use std::fmt;

use dsh_fs::error::{Code, Error};
use dsh_fs_artifacts::ComponentError;

/// A call that failed before it was a file operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallCode {
    /// The arguments are wrong.
    InvalidArguments,
    /// Wider permissions were asked for and not given.
    EscalationRefused,
    /// There is no such session.
    UnknownSession,
    /// The mode cannot be enforced here.
    SandboxUnavailable,
    /// The component broke, and its session has ended.
    ComponentTrapped,
}

impl CallCode {
    /// Every code, in the order of the WIT package.
    pub const ALL: [Self; 5] = [
        Self::InvalidArguments,
        Self::EscalationRefused,
        Self::UnknownSession,
        Self::SandboxUnavailable,
        Self::ComponentTrapped,
    ];

    /// The protocol string, for example `INVALID_ARGUMENTS`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidArguments => "INVALID_ARGUMENTS",
            Self::EscalationRefused => "ESCALATION_REFUSED",
            Self::UnknownSession => "UNKNOWN_SESSION",
            Self::SandboxUnavailable => "SANDBOX_UNAVAILABLE",
            Self::ComponentTrapped => "COMPONENT_TRAPPED",
        }
    }
}

/// The code of a failed call: one of thirteen and five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureCode {
    /// A file operation failed.
    File(Code),
    /// The call failed before it was one.
    Call(CallCode),
}

impl FailureCode {
    /// The protocol string.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File(code) => code.name(),
            Self::Call(code) => code.name(),
        }
    }
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    /// Which of the codes.
    pub code: FailureCode,
    /// Why, in one sentence.
    pub message: String,
    /// What the model reads.
    pub text: String,
    /// The path as shown, where a file operation failed.
    pub path: Option<String>,
    /// More than the ordinary reason of the code.
    pub detail: Option<String>,
}

impl CallError {
    /// A failure that the host found itself.
    #[must_use]
    pub fn of_call(code: CallCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code: FailureCode::Call(code),
            text: format!("Error: {message}"),
            message,
            path: None,
            detail: None,
        }
    }

    /// Whether the policy forbade it.
    pub(crate) fn is_denied(&self) -> bool {
        self.code == FailureCode::File(Code::SandboxDenied)
    }

    /// A failed file operation that no component has worded.
    pub(crate) fn of_file(error: Error) -> Self {
        Self {
            code: FailureCode::File(error.code),
            text: format!("Error: {}", error.message),
            message: error.message,
            path: error.path,
            detail: error.detail,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for CallError {}

/// Why a component could not be made ready to run.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is no component, or does not fit the toolbox.
    #[error(transparent)]
    Component(#[from] ComponentError),
    /// It asks for something that this runtime does not offer.
    #[error("the component imports {0}, which this runtime does not offer")]
    Import(String),
    /// It does not export what a session calls.
    #[error("the component does not fit this runtime: {0}")]
    Shape(String),
    /// It could not be compiled.
    #[error("the component could not be compiled: {0}")]
    Compile(String),
    /// wasmtime cannot run on this machine with these settings.
    #[error("wasmtime cannot start: {0}")]
    Engine(String),
    /// The component stopped while it was being prepared.
    #[error("the component stopped while it started: {0}")]
    Start(String),
}
