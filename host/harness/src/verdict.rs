//! The names of what became of a command, for the audit.

use dsh_fs_confine::Verdict;

/// The name of a verdict in the audit.
#[must_use]
pub fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Succeeded => "succeeded",
        Verdict::Failed(_) => "failed",
        Verdict::Denied { .. } => "denied",
        Verdict::RunnerFailed(_) => "runner-failed",
        Verdict::NoProgram { .. } => "no-program",
        Verdict::TimedOut => "timed-out",
        Verdict::Cancelled => "cancelled",
    }
}
