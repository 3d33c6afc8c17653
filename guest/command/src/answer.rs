//! What came of a call: a text and its facts, or a code and a text.

use serde_json::{Value, json};

use crate::bindings::dsh::fs::tools::{ChangeAnswer, Failure, FailureKind, ListAnswer, ReadAnswer};
use crate::bindings::dsh::fs::types::{CallErrorCode, ErrorCode};
use crate::value;

/// An answer for a model.
pub(crate) type Answer = Result<Told, Refused>;

/// What a model reads, and the same as values for programs.
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) value: Value,
}

impl From<ReadAnswer> for Told {
    fn from(answer: ReadAnswer) -> Self {
        let value = value::read(&answer);
        let text = answer.text;
        Self { text, value }
    }
}

impl From<ChangeAnswer> for Told {
    fn from(answer: ChangeAnswer) -> Self {
        let value = value::change(&answer.mutation);
        let text = answer.text;
        Self { text, value }
    }
}

impl From<ListAnswer> for Told {
    fn from(answer: ListAnswer) -> Self {
        let value = value::list(&answer);
        let text = answer.text;
        Self { text, value }
    }
}

/// A call that failed.
pub(crate) struct Refused {
    pub(crate) code: String,
    pub(crate) text: String,
}

/// A call whose shape is wrong.
pub(crate) fn invalid(why: impl std::fmt::Display) -> Refused {
    Refused {
        code: "INVALID_ARGUMENTS".to_owned(),
        text: format!("Error: {why}"),
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        let code = match &failure.kind {
            FailureKind::File(error) => file_code(error.code),
            FailureKind::Call(failure) => call_code(failure.code),
        };
        Self {
            code: code.to_owned(),
            text: failure.text,
        }
    }
}

fn file_code(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::NotFound => "FS_NOT_FOUND",
        ErrorCode::NotDirectory => "FS_NOT_DIRECTORY",
        ErrorCode::NotText => "FS_NOT_TEXT",
        ErrorCode::NotRegularFile => "FS_NOT_REGULAR_FILE",
        ErrorCode::TooLarge => "FS_TOO_LARGE",
        ErrorCode::PermissionDenied => "FS_PERMISSION_DENIED",
        ErrorCode::SandboxDenied => "FS_SANDBOX_DENIED",
        ErrorCode::IoError => "FS_IO_ERROR",
        ErrorCode::StaleVersion => "FS_STALE_VERSION",
        ErrorCode::NotObserved => "FS_NOT_OBSERVED",
        ErrorCode::AmbiguousEdit => "FS_AMBIGUOUS_EDIT",
        ErrorCode::EditNotFound => "FS_EDIT_NOT_FOUND",
        ErrorCode::Aborted => "FS_ABORTED",
    }
}

fn call_code(code: CallErrorCode) -> &'static str {
    match code {
        CallErrorCode::InvalidArguments => "INVALID_ARGUMENTS",
        CallErrorCode::EscalationRefused => "ESCALATION_REFUSED",
        CallErrorCode::UnknownSession => "UNKNOWN_SESSION",
        CallErrorCode::SandboxUnavailable => "SANDBOX_UNAVAILABLE",
        CallErrorCode::ComponentTrapped => "COMPONENT_TRAPPED",
    }
}

/// An answer as one JSON object.
pub(crate) fn reply(id: &Value, answer: Answer) -> Value {
    match answer {
        Ok(told) => json!({ "id": id, "ok": true, "text": told.text, "value": told.value }),
        Err(Refused { code, text }) => {
            json!({ "id": id, "ok": false, "code": code, "text": text })
        }
    }
}
