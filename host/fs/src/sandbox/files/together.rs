//! Changes of files that are a part of a transaction.

use std::sync::Arc;

use super::Files;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::transaction::{Journaling, Transaction};
use crate::types::{Edit, EditGuard, Mutation, Report, Target, WriteGuard};
use crate::within::Within;
use crate::wording::Verb;

impl Files {
    /// The same as [`Self::edit_text`], as a part of a transaction: it is written into the
    /// journal first.
    ///
    /// # Errors
    /// As [`Self::edit_text`]. `FS_IO_ERROR`: it could not be journaled, or the provider
    /// does not announce what it publishes. `FS_TOO_LARGE`: more than
    /// [`crate::transaction::MOST_BYTES`] together. `FS_STALE_VERSION`: somebody changed
    /// the file between two changes of the transaction.
    pub fn edit_text_in(
        &self,
        transaction: &Arc<Transaction>,
        target: &Target,
        edit: &Edit,
        guard: &EditGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let guarded = *guard != EditGuard::Unconditional;
        let within = self.fence.admit(Verb::Edit, target, guarded)?;
        let within = self.journaled(within, transaction);
        let done = self
            .inner
            .edit_text(target, &within, edit, guard, report, cancel);
        settled(transaction, target, done)
    }

    /// Replaces the whole of a file of this version, as a part of a transaction.
    ///
    /// # Errors
    /// As [`Self::write_text`] and [`Self::edit_text_in`].
    pub fn replace_text_in(
        &self,
        transaction: &Arc<Transaction>,
        target: &Target,
        content: &str,
        version: &str,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let within = self.fence.admit(Verb::Write, target, true)?;
        let within = self.journaled(within, transaction);
        let guard = WriteGuard::ReplaceIfVersion(version.to_owned());
        let done = self
            .inner
            .write_text(target, &within, content, &guard, report, cancel);
        settled(transaction, target, done)
    }

    fn journaled(&self, within: Within, transaction: &Arc<Transaction>) -> Within {
        let roots = self.fence.shared_roots();
        within.witnessed(Journaling::new(transaction, &self.policy, roots))
    }
}

/// The transaction learns what became of the change.
fn settled(
    transaction: &Transaction,
    target: &Target,
    done: Result<Mutation, Error>,
) -> Result<Mutation, Error> {
    match done {
        Ok(mutation) => transaction.published(&mutation).map(|()| mutation),
        Err(error) => {
            transaction.refused(&target.key, &error);
            Err(error)
        }
    }
}
