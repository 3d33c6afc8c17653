//! Exit codes and the one style of errors on standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;

/// Why the program stops early. The number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Something failed that is none of the following, for example standard output closed.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The workspace is missing, is no directory, or cannot be read.
    Workspace = 3,
    /// A component cannot be loaded.
    Component = 4,
    /// The mode cannot be enforced on this machine.
    Sandbox = 5,
    /// The file of a deployment is wrong, cannot be read, or is not safe.
    Config = 6,
    /// The one call of a command was answered with a code.
    Refused = 7,
    /// The database cannot be used, has no such thing, or has it elsewhere.
    Database = 8,
    /// `exec`: the policy kept the command from something.
    Denied = 210,
    /// `exec`: what confines commands failed.
    Runner = 211,
    /// `exec`: nothing can confine the command.
    Unconfinable = 212,
}

/// The table of exit codes, as `--help` shows it.
pub(crate) const TABLE: &str = "\
Exit codes:
  0  everything was done; in `run`, every call was answered (also with a refusal)
  1  something else failed, for example standard output was closed (nothing is said then),
     or an audit could not be written
  2  the command line is wrong
  3  the workspace is missing, is no directory, or cannot be read
  4  a component cannot be loaded
  5  the mode cannot be enforced on this machine
  6  the file of a deployment is wrong, cannot be read, or is not safe
  7  the one call of the command was refused or failed; its answer has the code
  8  the database of sessions cannot be used, has nothing of that name, or has the session
     in another directory
`exec` ends with the code of its command, with 126 or 127 where it cannot be started, or with
210 to 212: see its help";

/// A reason with its error and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    /// Nothing where the output has said it already.
    error: Option<anyhow::Error>,
    hint: Option<String>,
}

impl Failure {
    /// A failure for this reason.
    pub(crate) fn new(reason: Reason, error: impl Into<anyhow::Error>) -> Self {
        Self {
            code: reason as u8,
            error: Some(error.into()),
            hint: None,
        }
    }

    /// A failure that the output has told already: nothing but the exit code is left.
    pub(crate) fn told(reason: Reason) -> Self {
        Self::with_code(reason as u8)
    }

    /// The same, with the exit code of another program.
    pub(crate) fn with_code(code: u8) -> Self {
        Self {
            code,
            error: None,
            hint: None,
        }
    }

    /// The same, with another exit code.
    pub(crate) fn with(mut self, code: u8) -> Self {
        self.code = code;
        self
    }

    /// The same, with a sentence on what to do.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::new(Reason::Failed, error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(Reason::Failed, error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.error {
            write!(f, "dsh-fs: error: {error:#}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\ndsh-fs: hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Prints a failure and answers its code.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    if failure.error.is_some() {
        // Where standard error is closed too, the exit code is all that can be told.
        let _ = writeln!(io::stderr(), "{failure}");
    }
    ExitCode::from(failure.code)
}

/// Prints what clap has to say: help and version on standard output, the rest on standard
/// error in the style of this program.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe while help is printed is nobody's error.
    let _ = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.print(),
        _ => write!(io::stderr(), "dsh-fs: {}", error.render()),
    };
    if error.use_stderr() {
        ExitCode::from(Reason::Usage as u8)
    } else {
        ExitCode::SUCCESS
    }
}
