//! What can go wrong before a command runs.

use std::fmt;
use std::io;
use std::path::PathBuf;

use dsh_fs::types::Mode;

use crate::options::Used;
use crate::wording;

/// A backend that was asked, and why it cannot confine this command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The backend.
    pub backend: &'static str,
    /// Why it cannot.
    pub reason: String,
    /// What it would not keep of the policy, one sentence each, where that is why.
    pub gaps: Vec<String>,
}

impl Tried {
    pub(crate) fn new(backend: &'static str, reason: String) -> Self {
        Self {
            backend,
            reason,
            gaps: Vec::new(),
        }
    }

    pub(crate) fn in_part(backend: Used, gaps: Vec<String>) -> Self {
        Self {
            backend: backend.name(),
            reason: wording::refused_in_part(&gaps),
            gaps,
        }
    }
}

/// No backend can confine a command: `SANDBOX_UNAVAILABLE`. The command has not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The mode that was to be kept.
    pub mode: Mode,
    /// What was asked, in order, and why each could not.
    pub tried: Vec<Tried>,
    /// What a runner said that failed when it was used.
    pub detail: Option<String>,
}

impl Unavailable {
    /// The code on every surface.
    pub const CODE: &'static str = "SANDBOX_UNAVAILABLE";

    /// The refusal after a runner failed in use.
    #[must_use]
    pub fn after(mode: Mode, detail: Option<String>) -> Self {
        Self {
            mode,
            tried: Vec::new(),
            detail,
        }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&wording::unavailable(self))
    }
}

impl std::error::Error for Unavailable {}

/// A custom runner that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRunner(pub(crate) &'static str);

/// Why a command was not run to an end. What the command itself did, a runner that failed
/// included, is a [`Finished`](crate::Finished) and no error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The working directory is no directory that can be entered.
    #[error("{}", wording::no_directory(.directory, .source))]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The argv is empty, or an argument holds a NUL.
    #[error("{}", wording::unusable_argv())]
    Argv,
    /// The system could not make a pipe, a process, or wait for one.
    #[error("{}", wording::system(.0))]
    System(#[from] io::Error),
}
