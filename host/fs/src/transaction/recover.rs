//! Taking up what a crash interrupted.

use std::ffi::CString;

use rustix::io::Errno;

use super::Transactions;
use super::back::RolledBack;
use super::journal::Journal;
use super::record::Record;
use super::running::Transaction;
use super::steps::Steps;
use crate::error::Error;
use crate::sandbox::SandboxedFileSystem;
use crate::wording;

/// What became of a transaction that a crash interrupted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The label that it was begun with; empty where its journal cannot be read, which is
    /// then put aside.
    pub label: String,
    /// What became of its files.
    pub back: RolledBack,
}

impl Recovered {
    /// What happened, in one sentence for a person and one line for each file.
    #[must_use]
    pub fn text(&self) -> String {
        wording::transaction::recovered(self)
    }
}

impl Transactions {
    /// Rolls back every transaction whose process is gone; one that runs, in whatever
    /// process, is not touched. Nothing is written but what the rules of these files allow
    /// under the policy that the change was made under. To be called at start.
    ///
    /// It may itself be interrupted at any point, and be called as often as one likes.
    ///
    /// # Errors
    /// `FS_IO_ERROR`: the folder cannot be listed.
    pub fn recover(&self, files: &SandboxedFileSystem) -> Result<Vec<Recovered>, Error> {
        let names = self.folder.journals();
        let names = names.map_err(wording::transaction::cannot_recover)?;
        let mut recovered = Vec::new();
        for name in names {
            match self.recover_one(name, files) {
                Ok(found) => recovered.extend(found),
                Err(errno) => tracing::warn!(%errno, "a journal could not be taken up"),
            }
        }
        Ok(recovered)
    }

    fn recover_one(
        &self,
        name: CString,
        files: &SandboxedFileSystem,
    ) -> Result<Option<Recovered>, Errno> {
        let Some(journal) = Journal::take_over(&self.folder, &self.secret, name)? else {
            return Ok(None);
        };
        let records = journal.records()?;
        let Some((label, steps)) = records.and_then(replayed) else {
            let mut unreadable = Recovered::default();
            unreadable.back.kept = Some(journal.put_aside()?);
            return Ok(Some(unreadable));
        };
        let transaction = Transaction::resumed(Some(journal), steps);
        let back = transaction.roll_back(files);
        let nothing = back == RolledBack::default();
        Ok((!nothing).then_some(Recovered { label, back }))
    }
}

/// The label and the steps; `None` where they make no sense.
fn replayed(records: Vec<Record>) -> Option<(String, Steps)> {
    let mut label = String::new();
    let mut steps = Steps::default();
    for record in records {
        match record {
            Record::Begin { label: told } => label = told,
            Record::Intend(intended) => steps.take(intended.into_step()?).ok()?,
            Record::Decided { key } => steps.decided(&key),
        }
    }
    Some((label, steps))
}
