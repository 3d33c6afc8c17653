//! Taking up what a crash interrupted.

use std::ffi::CString;
use std::path::PathBuf;

use rustix::io::Errno;

use super::Transactions;
use super::back::{Left, Outcome};
use super::journal::Journal;
use super::record::Record;
use super::running::Transaction;
use super::steps::Steps;
use crate::error::{Code, Error};
use crate::sandbox::SandboxedFileSystem;
use crate::wording;

/// What became of a transaction that a crash interrupted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The label that it was begun with; empty where its journal cannot be read.
    pub label: String,
    /// The keys of the files that have their former bytes again.
    pub restored: Vec<String>,
    /// What was left as it is, and why.
    pub left: Vec<Left>,
    /// What may not or cannot be written at this start. The journal stays, and the next
    /// start tries again.
    pub waiting: Vec<Left>,
    /// Where the former texts of what was left are kept, or the journal that cannot be
    /// read. The 64 last of them are.
    pub kept: Option<PathBuf>,
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
            return Ok(Some(Recovered {
                kept: Some(journal.put_aside()?),
                ..Recovered::default()
            }));
        };
        let transaction = Transaction::resumed(Some(journal), steps);
        let recovered = transaction.take_up(label, files);
        let nothing = recovered.restored.is_empty()
            && recovered.left.is_empty()
            && recovered.waiting.is_empty();
        Ok((!nothing).then_some(recovered))
    }
}

impl Transaction {
    fn take_up(&self, label: String, files: &SandboxedFileSystem) -> Recovered {
        let mut done = Recovered {
            label,
            ..Recovered::default()
        };
        for touched in self.touched() {
            match touched.take_back(files) {
                Outcome::Left(left) if can_wait(left.code) => done.waiting.push(left),
                Outcome::Left(left) => done.left.push(left),
                Outcome::Restored(_) | Outcome::WasOld => {
                    done.restored.push(touched.target.key.clone());
                }
            }
        }
        match done.waiting.is_empty() {
            true => done.kept = self.finish(!done.left.is_empty()),
            // Later work that happens to look like ours must not be taken for it.
            false => done.restored.iter().for_each(|key| self.note_decided(key)),
        }
        done
    }
}

/// Another start, under other rules or with the disk mounted, may be able to.
fn can_wait(code: Code) -> bool {
    matches!(code, Code::SandboxDenied | Code::IoError)
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
