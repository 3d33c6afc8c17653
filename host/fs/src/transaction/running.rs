//! A transaction that runs.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::back::RolledBack;
use super::journal::Journal;
use super::record::{Intended, Record};
use super::steps::{Authority, Step, Steps, Touched};
use crate::error::{Code, Error};
use crate::sandbox::SandboxedFileSystem;
use crate::types::Mutation;
use crate::within::{Intent, Witness};
use crate::wording::{self, Verb};

/// The most bytes of old texts that one transaction keeps: the files that it changes,
/// together, are no larger.
pub const MOST_BYTES: usize = 64 << 20;

/// Changes that stand or fall together. Changes are made through
/// [`crate::sandbox::Files::edit_text_in`] and its like.
///
/// It is ended by [`Self::commit`] or by taking everything back. One that is dropped
/// before leaves its journal, and counts as interrupted by a crash.
pub struct Transaction {
    state: Mutex<State>,
}

struct State {
    steps: Steps,
    journal: Option<Journal>,
}

impl Transaction {
    pub(super) fn new(journal: Option<Journal>) -> Self {
        Self::resumed(journal, Steps::default())
    }

    /// One that this process alone remembers: a change that fails is taken back, one that
    /// a crash interrupts is not.
    #[must_use]
    pub fn unjournaled() -> Arc<Self> {
        Arc::new(Self::new(None))
    }

    /// One whose process is gone.
    pub(super) fn resumed(journal: Option<Journal>, steps: Steps) -> Self {
        Self {
            state: Mutex::new(State { steps, journal }),
        }
    }

    /// Ends it: what was changed stays changed, also after a crash.
    ///
    /// # Errors
    /// `FS_IO_ERROR`: the journal could not be ended, so that a crash would still take
    /// everything back. Nothing has happened to the files; take them back, or try again.
    pub fn commit(&self) -> Result<(), Error> {
        let mut state = self.state();
        if let Some(journal) = &state.journal {
            journal.close().map_err(wording::transaction::cannot_end)?;
        }
        *state = State {
            steps: Steps::default(),
            journal: None,
        };
        Ok(())
    }

    /// The files that were changed, or may have been, the last first: in this order they
    /// are taken back.
    #[must_use]
    pub fn touched(&self) -> Vec<Touched> {
        self.state().steps.touched()
    }

    /// Takes everything back, under the policies that the changes were made under, and
    /// ends the transaction. See [`Touched::take_back`] and [`Self::end`].
    pub fn roll_back(&self, files: &SandboxedFileSystem) -> RolledBack {
        let touched = self.touched().into_iter();
        self.end(touched.map(|touched| {
            let outcome = touched.take_back(files);
            (touched, outcome)
        }))
    }

    /// Leaves the journal for a later start, which is to leave these files alone.
    pub(super) fn leave(&self, decided: &[String]) {
        let mut state = self.state();
        state.steps = Steps::default();
        let Some(journal) = state.journal.take() else {
            return;
        };
        for key in decided {
            let key = key.to_owned();
            if let Err(errno) = journal.append(&Record::Decided { key }) {
                tracing::warn!(%errno, "a file that was taken back could not be noted down");
            }
        }
    }

    /// Ends the journal. Where something is left it is put aside; answers where it is.
    pub(super) fn finish(&self, aside: bool) -> Option<PathBuf> {
        let mut state = self.state();
        state.steps = Steps::default();
        let journal = state.journal.take()?;
        let result = match aside {
            true => journal.put_aside().map(Some),
            false => journal.close().map(|()| None),
        };
        result.unwrap_or_else(|errno| {
            // Every file holds its old content, or is left again at the next start.
            tracing::warn!(%errno, "a finished journal could not be put away");
            None
        })
    }

    /// A change is about to be published.
    fn intend(&self, intent: &Intent<'_>, authority: &Authority) -> Result<(), Error> {
        let display = &intent.target.display;
        let mut step = Step {
            target: intent.target.clone(),
            authority: authority.clone(),
            previous: intent.previous.to_owned(),
            intended: intent.intended.to_owned(),
            old: None,
        };
        let mut state = self.state();
        if state.steps.is_announced(&step) || step.previous == step.intended {
            return Ok(());
        }
        if state.steps.needs_text(&step) {
            let most = MOST_BYTES.saturating_sub(state.steps.text_bytes());
            step.old = Some(text(intent, most)?);
        }
        if let Some(journal) = &state.journal {
            let record = Record::Intend(Intended::of(&step));
            journal
                .append(&record)
                .map_err(|errno| wording::transaction::not_journaled(display, errno))?;
        }
        let taken = state.steps.take(step);
        taken.map_err(|_| wording::transaction::changed_between(display))
    }

    /// A change was made.
    pub(crate) fn published(&self, mutation: &Mutation) -> Result<(), Error> {
        let unchanged = mutation.previous.as_ref() == Some(&mutation.version);
        let (key, version) = (&mutation.target.key, &mutation.version);
        if unchanged || self.state().steps.published(key, version) {
            return Ok(());
        }
        Err(wording::transaction::not_announced(
            &mutation.target.display,
        ))
    }

    /// A change was refused. After a failure of the operating system it is better looked
    /// whether it was made nevertheless.
    pub(crate) fn refused(&self, key: &str, error: &Error) {
        if error.code != Code::IoError {
            self.state().steps.withdrawn(key);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The old bytes as text; only text is ever changed.
fn text(intent: &Intent<'_>, most: usize) -> Result<Arc<str>, Error> {
    let display = &intent.target.display;
    if intent.old.len() > most {
        return Err(wording::transaction::too_large(display, MOST_BYTES));
    }
    match std::str::from_utf8(intent.old) {
        Ok(text) => Ok(text.into()),
        Err(_) => Err(wording::transaction::no_text(Verb::Edit, display)),
    }
}

/// Journals what is done through one handle.
pub(crate) struct Journaling {
    pub(crate) transaction: Arc<Transaction>,
    pub(super) authority: Authority,
}

impl Witness for Journaling {
    fn before_publication(&self, intent: &Intent<'_>) -> Result<(), Error> {
        self.transaction.intend(intent, &self.authority)
    }
}

impl Journaling {
    pub(crate) fn new(
        transaction: &Arc<Transaction>,
        policy: &crate::types::ExecutionPolicy,
        roots: &Arc<crate::roots::Roots>,
    ) -> Arc<Self> {
        Arc::new(Self {
            transaction: Arc::clone(transaction),
            authority: Authority {
                policy: policy.clone(),
                roots: Some(Arc::clone(roots)),
            },
        })
    }
}
