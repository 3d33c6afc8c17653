//! A failed call: what failed, and what the model reads about it.
//!
//! The sentences about decisions are the gate's. Here they are put in order.

use crate::bindings::dsh::fs::types::{CallErrorCode, Error, ErrorCode, SandboxMode};
use crate::bindings::dsh::fs::{observation, sandbox};
use crate::bindings::exports::dsh::fs::tools::{CallFailure, Failure, FailureKind};

/// What a model can do about a denial.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WayOut {
    /// It can ask for a wider mode.
    Escalation,
    /// The call has no such arguments, or nothing confines it.
    None,
}

/// The call failed before it was a file operation.
pub(crate) fn call(code: CallErrorCode, message: String) -> Failure {
    Failure {
        text: ["Error: ", &message].concat(),
        kind: FailureKind::Call(CallFailure { code, message }),
    }
}

/// The arguments are wrong.
pub(crate) fn invalid(message: impl Into<String>) -> Failure {
    call(CallErrorCode::InvalidArguments, message.into())
}

/// A file operation failed, under this mode.
pub(crate) fn file(error: Error, mode: SandboxMode, way_out: WayOut) -> Failure {
    let mut lines = match error.code {
        ErrorCode::SandboxDenied => sandbox::denial_marker(mode),
        code => observation::with_remedy(code, &error.message),
    };
    if let Some(detail) = &error.detail {
        add_line(&mut lines, detail);
    }
    let denied = error.code == ErrorCode::SandboxDenied;
    if denied && way_out == WayOut::Escalation && !sandbox::wider_modes(mode).is_empty() {
        add_line(&mut lines, &sandbox::escalation_hint());
    }
    Failure {
        text: ["Error: ", &lines].concat(),
        kind: FailureKind::File(error),
    }
}

impl Failure {
    /// The failure with one more line for the model.
    pub(crate) fn with_line(mut self, line: &str) -> Self {
        add_line(&mut self.text, line);
        self
    }
}

fn add_line(lines: &mut String, line: &str) {
    lines.push('\n');
    lines.push_str(line);
}
