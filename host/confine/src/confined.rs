//! A command that is ready to be run under a policy.

use std::ffi::OsString;
use std::sync::Arc;

use dsh_fs::types::Mode;

use crate::landlock::Rules;
use crate::options::Used;
use crate::profile::Profile;
use crate::verdict::{Evidence, FailureRule, Verdict, denials, runner_failure};
use crate::wording;

/// How much of a policy is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// All that the policy says about data and names of files.
    Full,
    /// Not all of it; one sentence for each thing that is not kept.
    Partial(Vec<String>),
    /// The mode is `danger-full-access`: nothing is asked and nothing is kept.
    Unconfined,
}

impl Enforcement {
    pub(crate) fn of(gaps: Vec<String>) -> Self {
        if gaps.is_empty() {
            Self::Full
        } else {
            Self::Partial(gaps)
        }
    }

    /// `full`, `partial` or `none`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial(_) => "partial",
            Self::Unconfined => "none",
        }
    }

    /// What is not kept.
    #[must_use]
    pub fn gaps(&self) -> &[String] {
        match self {
            Self::Partial(gaps) => gaps,
            Self::Full | Self::Unconfined => &[],
        }
    }
}

/// A command that is ready to be run under a policy, and how its outcome is read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confined {
    /// What to run.
    pub argv: Vec<OsString>,
    /// What confines it.
    pub backend: Used,
    /// How much of the policy is kept.
    pub enforcement: Enforcement,
    /// The words, in any case, in which a denial shows in what the command prints.
    pub denial_signatures: Vec<String>,
    /// How a failure of the runner is told from one of the command.
    pub failure_rules: Vec<FailureRule>,
    /// The command without its runner.
    pub(crate) command: Vec<OsString>,
    pub(crate) profile: Arc<Profile>,
    pub(crate) rules: Option<Rules>,
}

impl Confined {
    /// The mode that it is confined to.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.profile.mode
    }

    /// What the backend leaves open whatever the policy says, one sentence each.
    #[must_use]
    pub fn limits(&self) -> &'static [&'static str] {
        wording::limits(self.backend)
    }

    /// What became of the command, by its exit code (absent where a signal ended it) and
    /// what it printed. A caller that knows more says so with [`Self::classify_with`].
    #[must_use]
    pub fn classify(&self, exit: Option<i32>, stderr: &str) -> Verdict {
        self.classify_with(Evidence::None, exit, stderr)
    }

    /// The same, where it is known whether the command was reached.
    #[must_use]
    pub fn classify_with(&self, evidence: Evidence, exit: Option<i32>, stderr: &str) -> Verdict {
        if exit == Some(0) && evidence != Evidence::NotStarted {
            return Verdict::Succeeded;
        }
        let told = runner_failure(&self.failure_rules, exit, stderr);
        match (evidence, told) {
            (Evidence::NotStarted, told) => {
                let silent = || wording::silent_runner(self.backend, exit);
                return Verdict::RunnerFailed(told.map_or_else(silent, str::to_owned));
            }
            (Evidence::None, Some(line)) => return Verdict::RunnerFailed(line.to_owned()),
            (Evidence::None, None) | (Evidence::Started, _) => {}
        }
        let Some(code) = exit else {
            return Verdict::Failed(128);
        };
        match denials(&self.denial_signatures, exit, stderr).next() {
            Some(line) => Verdict::Denied {
                code,
                line: line.to_owned(),
            },
            None => Verdict::Failed(code),
        }
    }
}
