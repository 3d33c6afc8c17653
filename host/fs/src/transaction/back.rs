//! Taking the files of a transaction back.

use std::path::PathBuf;
use std::sync::Arc;

use super::running::Transaction;
use super::steps::Touched;
use crate::cancel::Cancel;
use crate::error::{Code, Error};
use crate::name::shown;
use crate::sandbox::{Files, Guarding, OneShot, SandboxedFileSystem};
use crate::types::{Mutation, Report, WriteGuard};
use crate::wording::{self, Verb};

/// How often a file is looked at again that changes while it is being taken back.
const ATTEMPTS: u32 = 3;

/// The largest file that is compared with what was left, in bytes: no edit makes a larger
/// one from a text that a transaction keeps, but by repeating it.
const LARGEST: u64 = 1 << 30;

/// A file that could not be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The path, as it may be shown.
    pub path: String,
    /// The canonical file.
    pub key: String,
    /// Why, as a code: `FS_STALE_VERSION` where somebody changed it since.
    pub code: Code,
    /// Why, in words.
    pub reason: String,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has its former bytes again.
    Restored(Box<Mutation>),
    /// It had them already.
    WasOld,
    /// It was not touched.
    Left(Left),
}

/// What became of the files of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolledBack {
    /// The keys of the files that have their former bytes again.
    pub restored: Vec<String>,
    /// What was left as it is, for good: somebody changed it since.
    pub left: Vec<Left>,
    /// What could not, or may not, be written now. [`super::Transactions::recover`] tries
    /// it again, unless there is no journal.
    pub waiting: Vec<Left>,
    /// Where the former texts of what was left are kept, private to this user; the 64
    /// last such files are.
    pub kept: Option<PathBuf>,
}

impl RolledBack {
    /// Whether every file has its former bytes again.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.left.is_empty() && self.waiting.is_empty()
    }

    /// What is not as it was, whether for good or not.
    pub fn not_restored(&self) -> impl Iterator<Item = &Left> {
        self.left.iter().chain(&self.waiting)
    }
}

impl Touched {
    /// Opens the one file under the policy that it was changed under: with the directories
    /// that were pinned then, or as the rules have them now.
    ///
    /// # Errors
    /// A root that is there cannot be opened.
    pub fn open(&self, files: &SandboxedFileSystem) -> Result<Files, Error> {
        let policy = self.authority.policy.clone();
        let roots = match &self.authority.roots {
            Some(roots) => Arc::clone(roots),
            None => files.pin(&policy)?,
        };
        let only = OneShot {
            key: self.target.key.clone(),
        };
        Ok(files.open(policy, roots, Guarding::Required, Some(only)))
    }

    /// Gives the file its former bytes again, if it still is what the transaction left.
    /// It passes the fence as the change did, and cannot be cancelled.
    pub fn take_back(&self, files: &SandboxedFileSystem) -> Outcome {
        let mut result = self.attempt(files);
        for _ in 1..ATTEMPTS {
            match result {
                Err(error) if error.code == Code::StaleVersion => result = self.attempt(files),
                _ => break,
            }
        }
        result.unwrap_or_else(|error| Outcome::Left(self.left_because(&error)))
    }

    fn attempt(&self, files: &SandboxedFileSystem) -> Result<Outcome, Error> {
        let files = self.open(files)?;
        let cancel = Cancel::new();
        self.check_place(&files, &cancel)?;
        let now = self.version_now(&files, &cancel)?;
        if now == self.base {
            return Ok(Outcome::WasOld);
        }
        if !self.left(&now) {
            return Err(wording::transaction::changed_since(&self.target.display));
        }
        let guard = WriteGuard::ReplaceIfVersion(now);
        let mutation =
            files.write_text(&self.target, &self.old, &guard, Report::default(), &cancel)?;
        Ok(Outcome::Restored(Box::new(mutation)))
    }

    /// A file that was put elsewhere, with a link in its place, is not looked for.
    fn check_place(&self, files: &Files, cancel: &Cancel) -> Result<(), Error> {
        let display = &self.target.display;
        match files.resolve(&self.target.key, None, cancel) {
            Ok(now) if now.key == self.target.key => Ok(()),
            Ok(_) => Err(wording::leads_elsewhere(Verb::Write, display)),
            Err(error) if error.code == Code::NotFound => {
                Err(wording::transaction::gone_since(display))
            }
            Err(error) => Err(error),
        }
    }

    fn version_now(&self, files: &Files, cancel: &Cancel) -> Result<String, Error> {
        let content = files.read_text(&self.target, LARGEST, cancel);
        content.map(|content| content.version).map_err(|error| {
            let display = &self.target.display;
            match error.code {
                Code::NotFound => wording::transaction::gone_since(display),
                Code::NotText | Code::NotRegularFile | Code::TooLarge => {
                    wording::transaction::changed_since(display)
                }
                _ => error,
            }
        })
    }

    fn left_because(&self, error: &Error) -> Left {
        Left {
            path: shown(&self.target.display),
            key: self.target.key.clone(),
            code: error.code,
            reason: wording::transaction::reason(error),
        }
    }
}

impl Transaction {
    /// Ends it after its files were taken back, in whatever way: these are the outcomes.
    /// The journal is removed; or it is put aside for a person, where something was left;
    /// or it stays for a later start, where something waits.
    pub fn end(&self, outcomes: impl IntoIterator<Item = (Touched, Outcome)>) -> RolledBack {
        let mut done = RolledBack::default();
        for (touched, outcome) in outcomes {
            match outcome {
                Outcome::Left(left) if can_wait(left.code) => done.waiting.push(left),
                Outcome::Left(left) => done.left.push(left),
                Outcome::Restored(_) | Outcome::WasOld => {
                    done.restored.push(touched.target.key);
                }
            }
        }
        match done.waiting.is_empty() {
            true => done.kept = self.finish(!done.left.is_empty()),
            // Later work that happens to look like ours must not be taken for it.
            false => self.leave(&done.restored),
        }
        done
    }
}

/// Another start, under other rules or with the disk mounted, may be able to.
fn can_wait(code: Code) -> bool {
    matches!(
        code,
        Code::SandboxDenied | Code::PermissionDenied | Code::IoError
    )
}
