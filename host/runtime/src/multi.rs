//! What the store of a session knows of a call of several changes.
//!
//! The component makes each change as it makes any other. The host journals it on the way,
//! and takes all of them back where one fails: with its own authority, that of the change,
//! so that no question is asked and no mode of now keeps half a change in place.

use std::cell::RefCell;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::sandbox::{Files, SandboxedFileSystem};
use dsh_fs::transaction::{Outcome, Touched, Transaction};
use dsh_fs::types::{Edit, EditGuard, Mutation, Report, Target, WriteGuard};

use crate::state::State;
use crate::wording;

/// A call of several changes.
pub(crate) struct Multi {
    pub(crate) transaction: Arc<Transaction>,
    /// The file that is being taken back.
    pub(crate) restoring: Option<Restoring>,
    /// Whether changes are being taken back by it (undo), rather than made.
    pub(crate) undo: bool,
}

/// A file that is being taken back.
pub(crate) struct Restoring {
    touched: Touched,
    outcome: RefCell<Option<Outcome>>,
}

/// How a mutation of now is carried out.
pub(crate) enum Part {
    /// By itself.
    Alone,
    /// As an edit of several.
    Edit(Arc<Transaction>),
    /// As a file of several that are taken back together.
    Undo(Arc<Transaction>),
}

impl State {
    /// How a mutation of now is carried out.
    pub(crate) fn part(&self) -> Part {
        match &self.multi {
            None => Part::Alone,
            Some(multi) if multi.undo => Part::Undo(Arc::clone(&multi.transaction)),
            Some(multi) => Part::Edit(Arc::clone(&multi.transaction)),
        }
    }

    /// The file that is being taken back.
    pub(crate) fn restoring(&self) -> Option<&Restoring> {
        self.multi.as_ref()?.restoring.as_ref()
    }

    /// Writes a mutation down for undo, unless it is one that takes back.
    pub(crate) fn note(&mut self, mutation: &Mutation) {
        let back = |multi: &Multi| multi.undo || multi.restoring.is_some();
        if !self.multi.as_ref().is_some_and(back) {
            self.journal.record(mutation);
        }
    }
}

impl Part {
    /// Writes a whole file: no component may slip that in among edits.
    pub(crate) fn write(
        &self,
        files: &Files,
        target: &Target,
        content: &str,
        guard: &WriteGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        match (self, guard) {
            (Self::Alone, _) => files.write_text(target, content, guard, report, cancel),
            (Self::Undo(transaction), WriteGuard::ReplaceIfVersion(version)) => {
                files.replace_text_in(transaction, target, content, version, report, cancel)
            }
            _ => Err(not_a_part("write", target)),
        }
    }

    /// Edits a file.
    pub(crate) fn edit(
        &self,
        files: &Files,
        target: &Target,
        edit: &Edit,
        guard: &EditGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        match self {
            Self::Alone => files.edit_text(target, edit, guard, report, cancel),
            Self::Edit(transaction) => {
                files.edit_text_in(transaction, target, edit, guard, report, cancel)
            }
            Self::Undo(_) => Err(not_a_part("edit", target)),
        }
    }
}

impl Restoring {
    pub(crate) fn new(touched: Touched) -> Self {
        Self {
            touched,
            outcome: RefCell::new(None),
        }
    }

    /// The file.
    pub(crate) fn key(&self) -> &str {
        &self.touched.target().key
    }

    /// The same anew, for where the first is lost with the component.
    pub(crate) fn again(&self) -> Self {
        Self::new(self.touched.clone())
    }

    /// Takes the file back, once, whatever the component would have written.
    pub(crate) fn restore(
        &self,
        files: &SandboxedFileSystem,
        target: &Target,
    ) -> Result<Mutation, Error> {
        let mut outcome = self.outcome.borrow_mut();
        if outcome.is_some() || target.key != self.key() {
            return Err(not_a_part("write", target));
        }
        match outcome.insert(self.touched.take_back(files)) {
            Outcome::Restored(mutation) => Ok(mutation.as_ref().clone()),
            // The component has not seen this content, and must not count it as its own.
            Outcome::WasOld => Err(error(
                Code::StaleVersion,
                target,
                wording::multi::restored_already,
            )),
            Outcome::Left(left) => Err(error(left.code, target, |path| {
                wording::multi::not_restored(path, &left.reason)
            })),
        }
    }

    /// The file, and what became of it, if the component has had it taken back.
    pub(crate) fn outcome(self) -> (Touched, Option<Outcome>) {
        (self.touched, self.outcome.into_inner())
    }
}

fn not_a_part(verb: &str, target: &Target) -> Error {
    error(Code::SandboxDenied, target, |path| {
        wording::multi::not_a_part(verb, path)
    })
}

fn error(code: Code, target: &Target, message: impl Fn(&str) -> String) -> Error {
    Error {
        code,
        message: message(&target.display),
        path: Some(target.display.clone()),
        detail: None,
    }
}
