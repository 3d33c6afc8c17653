//! Several changes, all or nothing.
//!
//! Each of them is an edit like any other: the component decides about it, the ceiling and
//! the fence stand around it. What is added is the journal that each passes on its way, and
//! the way back: where one fails, every file gets its former bytes again, unless somebody
//! changed it since.

mod edits;
mod undo;

use std::sync::Arc;

use dsh_fs::transaction::{Outcome, RolledBack, Touched, Transaction};

use super::Session;
use crate::audit::Event;
use crate::failure::CallError;
use crate::imports::operation_name;
use crate::multi::{Multi, Restoring};
use crate::verbs::{Escalation, WriteArgs};

pub use edits::MOST_EDITS;

impl Session {
    /// Begins changes that stand or fall together.
    fn begin_together(
        &mut self,
        tool: &'static str,
        undo: bool,
    ) -> Result<Arc<Transaction>, CallError> {
        let label = format!("{tool} of session {}", self.id().unwrap_or("(none)"));
        self.state()?;
        let transaction = match &self.options.transactions {
            Some(transactions) => transactions.begin(&label).map_err(CallError::of_file)?,
            None => Transaction::unjournaled(),
        };
        let state = self.state()?;
        state.multi = Some(Multi {
            transaction: Arc::clone(&transaction),
            restoring: None,
            undo,
        });
        state.journal.begin_group();
        Ok(transaction)
    }

    /// Ends them. From here on the flag of a withdrawal is for the next call.
    fn end_together(&mut self, kept: bool) {
        if let Ok(state) = self.state() {
            state.multi = None;
            state.journal.end_group(kept);
        }
        self.cancel.reset();
    }

    /// Takes everything back, and ends the transaction.
    fn take_back(&mut self, tool: &'static str, transaction: &Transaction) -> RolledBack {
        // A withdrawal is what may have led here; it does not keep half a change in place.
        self.cancel.reset();
        let lent = self.lent.take();
        let mut outcomes = Vec::new();
        for touched in transaction.touched() {
            outcomes.push(self.take_back_one(tool, Restoring::new(touched)));
        }
        self.lent = lent;
        let back = transaction.end(outcomes);
        self.record(Event::TakenBack {
            tool,
            restored: back.restored.len(),
            left: back.not_restored().count(),
        });
        back
    }

    /// Takes a file back through the component, so that it learns the version; by the host
    /// alone where the component is of no help.
    fn take_back_one(&mut self, tool: &'static str, restoring: Restoring) -> (Touched, Outcome) {
        let spare = restoring.again();
        let restoring = self.restored_on_the_way(tool, restoring);
        let (touched, outcome) = restoring.unwrap_or(spare).outcome();
        let outcome = outcome.unwrap_or_else(|| self.take_back_alone(tool, &touched));
        (touched, outcome)
    }

    /// What counts is what the host did on the way, not what the component says of it;
    /// `None` where that is lost with the component.
    fn restored_on_the_way(
        &mut self,
        tool: &'static str,
        restoring: Restoring,
    ) -> Option<Restoring> {
        let write = restoring.write().into();
        self.state().ok()?.multi.as_mut()?.restoring = Some(restoring);
        let _ = self.enter(tool, |tools, store, handle| {
            tools.call_write(store, handle, &write)
        });
        self.state().ok()?.multi.as_mut()?.restoring.take()
    }

    fn take_back_alone(&self, tool: &'static str, touched: &Touched) -> Outcome {
        let outcome = touched.take_back(&self.options.files);
        if let Outcome::Restored(mutation) = &outcome {
            self.record(Event::Published {
                tool,
                key: &mutation.target.key,
                operation: operation_name(mutation.operation),
                guard: "replace-if-version",
                version: Some(&mutation.version),
                previous: mutation.previous.as_deref(),
                grade: mutation.grade.name(),
            });
        }
        outcome
    }
}

impl Restoring {
    /// The call of the component in which the file is taken back. The content is the
    /// host's own: what the component passes on is not used.
    fn write(&self) -> WriteArgs {
        WriteArgs {
            file_path: self.key().to_owned(),
            content: String::new(),
            escalation: Escalation::default(),
        }
    }
}
