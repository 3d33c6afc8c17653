//! What became of a command: its own outcome, a denial, or a runner that failed.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};

use crate::wording;

/// A program that is not there.
pub(crate) const NOT_FOUND: i32 = 127;

/// A program that cannot be executed.
pub(crate) const NOT_EXECUTABLE: i32 = 126;

/// How a failure of the runner itself is told by what it printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureRule {
    /// The exit codes with which the runner fails; any but 0 where absent.
    pub allowed_exit_codes: Option<Vec<i32>>,
    /// A line that holds one of these, in any case, is the runner's. A blank one never is.
    pub fatal_signatures: Vec<String>,
    /// Lines that the runner prints without having failed.
    pub informational_lines: Vec<String>,
}

impl FailureRule {
    /// The line by which the runner says that it failed, if it does.
    #[must_use]
    pub fn failure<'a>(&self, exit: Option<i32>, stderr: &'a str) -> Option<&'a str> {
        let exit = exit.filter(|exit| *exit != 0)?;
        let codes = self.allowed_exit_codes.as_ref();
        if codes.is_some_and(|codes| !codes.contains(&exit)) {
            return None;
        }
        let informs = |line: &str| self.informational_lines.iter().any(|known| known == line);
        stderr
            .lines()
            .filter(|line| !informs(line))
            .find(|line| holds_one_of(line, &self.fatal_signatures))
    }
}

/// The first line that the first of the rules calls a failure of the runner.
#[must_use]
pub fn runner_failure<'a>(
    rules: &[FailureRule],
    exit: Option<i32>,
    stderr: &'a str,
) -> Option<&'a str> {
    rules.iter().find_map(|rule| rule.failure(exit, stderr))
}

/// The lines of a failed command that use the words of a denial.
pub(crate) fn denials<'a>(
    signatures: &'a [String],
    exit: Option<i32>,
    stderr: &'a str,
) -> impl Iterator<Item = &'a str> {
    let failed = exit.is_some_and(|exit| exit != 0);
    let lines = stderr.lines().filter(move |_| failed);
    lines.filter(|line| holds_one_of(line, signatures))
}

fn holds_one_of(line: &str, signatures: &[String]) -> bool {
    let line = line.to_lowercase();
    let mut usable = signatures.iter().filter(|text| !text.trim().is_empty());
    usable.any(|text| line.contains(&text.to_lowercase()))
}

/// Whether the command itself was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The runner reported that it started the command: whatever was printed, the runner
    /// did not fail.
    Started,
    /// It reported that it did not.
    NotStarted,
    /// It reports nothing; what was printed has to do.
    None,
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It ended with 0.
    Succeeded,
    /// It ended with this code; 128 and the number where a signal ended it.
    Failed(i32),
    /// It ended with this code, and said in the words of the backend that the policy
    /// kept it from something.
    Denied {
        /// The exit code.
        code: i32,
        /// The line that says so.
        line: String,
    },
    /// The runner could not start it: the command has done nothing.
    RunnerFailed(String),
    /// Everything was ready but its program is not there (127) or cannot be executed
    /// (126), as shells have it: the command has done nothing.
    NoProgram {
        /// 126 or 127.
        code: i32,
        /// Why, in one sentence.
        reason: String,
    },
    /// The time limit passed, and it was killed.
    TimedOut,
    /// The caller withdrew, and it was killed.
    Cancelled,
}

impl Verdict {
    /// What the system said of a program that it was to start.
    pub(crate) fn no_program(program: &OsStr, error: &io::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::NotFound => NOT_FOUND,
            _ => NOT_EXECUTABLE,
        };
        Self::NoProgram {
            code,
            reason: wording::no_such_program(program, error),
        }
    }
}
