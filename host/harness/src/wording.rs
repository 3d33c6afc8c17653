//! What people and models read of this room.

use dsh_fs_confine::Finished;

/// What is added to the answer of a call whose session could not be saved.
pub(crate) fn not_saved(reason: &str) -> String {
    format!("[session not saved: another process does not know of this call: {reason}]")
}

pub(crate) fn elsewhere(reason: &str) -> String {
    format!("the session cannot be taken up here: {reason}")
}

pub(crate) fn database(reason: &str) -> String {
    format!("the database of sessions cannot be used: {reason}")
}

pub(crate) fn not_recorded() -> String {
    "the audit cannot be written, and this deployment changes nothing without it".into()
}

pub(crate) fn no_shell() -> String {
    "no command can be run here: this deployment offers no shell".into()
}

pub(crate) fn wrong_argument(name: &str, kind: &str) -> String {
    format!("invalid arguments: \"{name}\" must be a {kind}")
}

pub(crate) fn missing_command() -> String {
    "invalid arguments: missing required property \"command\"".into()
}

pub(crate) fn unusable_command() -> String {
    "invalid arguments: \"command\" must be text without NUL, and not blank".into()
}

pub(crate) fn command_too_long(most: usize) -> String {
    format!(
        "invalid arguments: \"command\" has at most {most} bytes; write a longer script to a file"
    )
}

pub(crate) fn time_out_of_range(longest: u64) -> String {
    format!("invalid arguments: \"timeout_ms\" must be 1 to {longest}")
}

/// What is said of how a command ended, after what it printed.
pub(crate) fn exit(finished: &Finished) -> String {
    match (finished.exit, finished.signal) {
        (Some(code), _) => format!("[exit code {code}]"),
        (None, Some(signal)) => format!("[ended by signal {signal}]"),
        (None, None) => "[not started]".into(),
    }
}

pub(crate) fn timed_out(milliseconds: u128) -> String {
    format!("[stopped after {milliseconds} ms: the time limit passed]")
}

pub(crate) fn withdrawn_waiting() -> String {
    "the call was withdrawn while it waited for another call of this session".into()
}

pub(crate) fn withdrawn() -> String {
    "the command was withdrawn, and all of it was stopped".into()
}
