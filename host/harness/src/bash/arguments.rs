//! The arguments of `bash`.

use std::time::Duration;

use dsh_fs_runtime::{CallCode, CallError};
use serde_json::Value;

use crate::wording;

/// The longest that a command may ask for: ten minutes.
const LONGEST_MS: u64 = 600_000;

/// The longest command line, in bytes: what Linux takes as one argument of a program
/// (`MAX_ARG_STRLEN`), without the NUL behind it.
const LONGEST_COMMAND: usize = 128 * 1024 - 1;

/// What a call of `bash` asks for.
pub(super) struct Arguments {
    pub(super) command: String,
    pub(super) time_limit: Option<Duration>,
    pub(super) sandbox_permissions: Option<String>,
    pub(super) justification: Option<String>,
}

impl Arguments {
    /// The arguments, where they have the right shape. Properties that are not known are
    /// ignored.
    pub(super) fn of(args: &Value) -> Result<Self, CallError> {
        let command = text(args, "command")?;
        let command = command.ok_or_else(|| invalid(wording::missing_command()))?;
        if command.trim().is_empty() || command.contains('\0') {
            return Err(invalid(wording::unusable_command()));
        }
        if command.len() > LONGEST_COMMAND {
            return Err(invalid(wording::command_too_long(LONGEST_COMMAND)));
        }
        Ok(Self {
            command,
            time_limit: time_limit(args)?,
            sandbox_permissions: text(args, "sandbox_permissions")?,
            justification: text(args, "justification")?,
        })
    }
}

fn text(args: &Value, name: &str) -> Result<Option<String>, CallError> {
    match args.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(invalid(wording::wrong_argument(name, "string"))),
    }
}

fn time_limit(args: &Value) -> Result<Option<Duration>, CallError> {
    match args.get("timeout_ms") {
        None => Ok(None),
        Some(Value::Number(number)) => match number.as_u64() {
            Some(ms @ 1..=LONGEST_MS) => Ok(Some(Duration::from_millis(ms))),
            _ => Err(invalid(wording::time_out_of_range(LONGEST_MS))),
        },
        Some(_) => Err(invalid(wording::wrong_argument("timeout_ms", "number"))),
    }
}

fn invalid(message: String) -> CallError {
    CallError::of_call(CallCode::InvalidArguments, message)
}
