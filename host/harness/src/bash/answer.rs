//! What a model reads of a command that ran.

use dsh_fs::error::Code;
use dsh_fs_confine::{Confined, Finished, Verdict};
use dsh_fs_runtime::{Answer, CallCode, CallError, FailureCode};
use serde_json::json;

use crate::wording;

/// The answer to a command: what it printed and how it ended. `way_out` is what is said of
/// a denial.
pub(super) fn of(
    confined: &Confined,
    finished: &Finished,
    way_out: &[String],
) -> Result<Answer, CallError> {
    match &finished.verdict {
        Verdict::RunnerFailed(reason) | Verdict::NoProgram { reason, .. } => Err(
            CallError::of_call(CallCode::SandboxUnavailable, reason.clone()),
        ),
        Verdict::Cancelled => Err(failed(Code::Aborted, wording::withdrawn(), finished)),
        Verdict::Denied { .. } => Err(failed(Code::SandboxDenied, way_out.join("\n"), finished)),
        Verdict::Succeeded | Verdict::Failed(_) | Verdict::TimedOut => Ok(told(confined, finished)),
    }
}

fn told(confined: &Confined, finished: &Finished) -> Answer {
    let timed_out = finished.verdict == Verdict::TimedOut;
    let end = match timed_out {
        true => wording::timed_out(finished.took.as_millis()),
        false => wording::exit(finished),
    };
    Answer {
        ok: true,
        code: None,
        text: format!("{}{end}", printed(finished)),
        value: Some(json!({
            "exitCode": finished.exit,
            "signal": finished.signal,
            "timedOut": timed_out,
            "stdout": finished.stdout.text(),
            "stderr": finished.stderr.text(),
            "truncated": finished.truncated(),
            "mode": confined.mode().name(),
            "backend": confined.backend.name(),
            "enforcement": confined.enforcement.name(),
            "notEnforced": confined.enforcement.gaps(),
        })),
    }
}

/// What was said of the failure, after what the command printed and how it ended.
fn failed(code: Code, message: String, finished: &Finished) -> CallError {
    let text = format!(
        "{}{}\nError: {message}",
        printed(finished),
        wording::exit(finished)
    );
    CallError {
        code: FailureCode::File(code),
        message,
        text,
        path: None,
        detail: None,
    }
}

/// Both outputs, each ended by a line feed.
fn printed(finished: &Finished) -> String {
    let mut text = String::new();
    for output in [&finished.stdout, &finished.stderr] {
        text.push_str(&output.text());
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}
