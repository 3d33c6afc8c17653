//! Taking a `multi_edit` back: all of it, or nothing.

use std::sync::Arc;

use dsh_fs::name::shown;

use super::Session;
use crate::bindings::tools;
use crate::failure::CallError;
use crate::journal::Change;
use crate::request::Request;
use crate::session::undo::{explained, former_text};
use crate::verbs::{ChangeAnswer, Escalation, MultiUndoAnswer, UndoArgs, WriteArgs};
use crate::wording;

impl Session {
    /// The files of the last change, where it was one of several together.
    pub(in crate::session) fn undoable_together(
        &mut self,
    ) -> Result<Option<Vec<Change>>, CallError> {
        let journal = &mut self.state()?.journal;
        while let Some(group) = journal.last_group() {
            if !group.is_empty() {
                return Ok(Some(group));
            }
            // All of it together changed nothing.
            journal.forget_last_group();
        }
        Ok(None)
    }

    /// Takes them back, under a guard for each that the host sets.
    pub(in crate::session) fn undo_together(
        &mut self,
        group: Vec<Change>,
        args: &UndoArgs,
    ) -> Result<MultiUndoAnswer, CallError> {
        let history = self.options.files.history().cloned();
        let texts: Result<Vec<_>, _> = group
            .iter()
            .map(|change| former_text(history.as_deref(), change))
            .collect();
        let pairs: Vec<(Change, String)> = group.iter().cloned().zip(texts?).collect();
        let transaction = self.begin_together("undo", true)?;
        let done: Result<Vec<_>, _> = pairs
            .into_iter()
            .map(|(change, text)| self.undo_one(change, text, &args.escalation))
            .collect();
        let done = done.and_then(|changes| {
            let ended = transaction.commit().map(|()| changes);
            ended.map_err(CallError::of_file)
        });
        match done {
            Ok(changes) => {
                self.end_together(true);
                self.state()?.journal.forget_last_group();
                let paths: Vec<String> = group.iter().map(|change| shown(&change.key)).collect();
                Ok(MultiUndoAnswer {
                    text: wording::multi::undone(&paths),
                    changes,
                })
            }
            Err(error) => {
                let back = self.take_back("undo", &transaction);
                self.end_together(true);
                Err(wording::multi::undo_failed(error, &back))
            }
        }
    }

    fn undo_one(
        &mut self,
        change: Change,
        content: String,
        escalation: &Escalation,
    ) -> Result<ChangeAnswer, CallError> {
        let path = shown(&change.key);
        let write = |escalation: Escalation| WriteArgs {
            file_path: change.key.clone(),
            content: content.clone(),
            escalation,
        };
        let mut answer = self.undo_part(change.clone(), write(Escalation::default()));
        if answer.as_ref().is_err_and(CallError::is_denied) && *escalation != Escalation::default()
        {
            answer = self.undo_part(change.clone(), write(escalation.clone()));
        }
        answer.map_err(|error| explained(error, &path))
    }

    fn undo_part(&mut self, change: Change, write: WriteArgs) -> Result<ChangeAnswer, CallError> {
        self.check_size("content", &write.content)?;
        let write = Arc::new(tools::WriteArgs::from(write));
        let request = Request::Write(Arc::clone(&write));
        self.state()?.journal.begin_undo_of(change);
        let answer = self.enter_for("undo", request, |tools, store, handle| {
            tools.call_write(store, handle, &write)
        })?;
        self.judged("undo", Some(&write.file_path), answer)
    }
}
