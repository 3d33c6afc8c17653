//! Taking the last change of a session back.
//!
//! The old text goes the way of every write: through the component, which learns the new
//! version by it, through the ceiling and the fence. The guard is the host's own: the
//! file must still be what the change left, whatever the component would demand.
//!
//! A creation goes the same way, and becomes a removal at its end. The component has no
//! verb for one; it learns of it by a read that finds nothing.

mod creation;

use std::sync::Arc;

use dsh_fs::error::Code;
use dsh_fs::history::History;
use dsh_fs::name::shown;

use super::Session;
use crate::bindings::tools as wit;
use crate::failure::{CallCode, CallError, FailureCode};
use crate::journal::Change;
use crate::request::Request;
use crate::verbs::{ChangeAnswer, Escalation, UndoAnswer, UndoArgs, WriteArgs};
use crate::wording;

impl Session {
    /// Takes back the last change that this session made and has not taken back: the file
    /// has its former bytes again, or is removed if the change created it. The directories
    /// that were made for it stay. Further calls go further back, up to 256 changes.
    /// Former bytes need files with a history; what can be taken back ends with the session.
    /// A `multi_edit` is taken back as a whole, or not at all.
    ///
    /// # Errors
    /// `FS_STALE_VERSION`: the file was changed since, by anybody; nothing is done, so
    /// that no later work is lost. `FS_NOT_FOUND`: the change created the file, and it is
    /// gone already; the next call goes on with the change before. `INVALID_ARGUMENTS`:
    /// there is no change to take back, or its old text is not kept. `FS_SANDBOX_DENIED`:
    /// the mode of now does not allow it. Then those of [`Session::write`].
    pub fn undo(&mut self, args: UndoArgs) -> Result<UndoAnswer, CallError> {
        if let Some(group) = self.undoable_together()? {
            return self
                .undo_together(group, &args)
                .map(UndoAnswer::RestoredTogether);
        }
        let change = self.last_change()?;
        if change.previous.is_none() {
            return self.undo_creation(&change, args.escalation);
        }
        let history = self.options.files.history();
        let content = former_text(history.map(AsRef::as_ref), &change)?;
        self.check_size("content", &content)?;
        let answer = self.write_to_undo(&change, content, args.escalation)?;
        let answer: Result<ChangeAnswer, _> = self.judged("undo", Some(&change.key), answer);
        let path = shown(&change.key);
        match answer {
            Ok(answer) => Ok(UndoAnswer::Restored(ChangeAnswer {
                text: wording::undone(&path),
                ..answer
            })),
            Err(error) => Err(explained(error, &path)),
        }
    }

    /// Lets the component write, while the host knows which change is being taken back.
    fn write_to_undo(
        &mut self,
        change: &Change,
        content: String,
        escalation: Escalation,
    ) -> Result<Result<wit::ChangeAnswer, wit::Failure>, CallError> {
        let write = WriteArgs {
            file_path: change.key.clone(),
            content,
            escalation,
        };
        let write = Arc::new(write.into());
        let request = match change.previous {
            Some(_) => Request::Write(Arc::clone(&write)),
            None => Request::Remove,
        };
        if let Ok(live) = &mut self.running {
            live.store.data_mut().journal.begin_undo();
        }
        self.enter_for("undo", request, |tools, store, handle| {
            tools.call_write(store, handle, &write)
        })
    }

    fn last_change(&self) -> Result<Change, CallError> {
        let live = self.running.as_ref().map_err(|ended| ended.error())?;
        let last = live.store.data().journal.last();
        last.cloned()
            .ok_or_else(|| refused(wording::nothing_to_undo()))
    }
}

/// The text that a change displaced.
pub(super) fn former_text(history: Option<&History>, change: &Change) -> Result<String, CallError> {
    let Some(history) = history else {
        return Err(refused(wording::no_history()));
    };
    let path = shown(&change.key);
    let previous = change.previous.as_deref().unwrap_or_default();
    let Some(content) = history.find(previous) else {
        return Err(refused(wording::undo_text_gone(&path)));
    };
    match String::from_utf8(content.to_vec()) {
        Ok(content) => Ok(content),
        Err(_) => Err(refused(wording::undo_no_text(&path))),
    }
}

/// To read the file again and retry, as the gate advises, would not help here.
pub(super) fn explained(error: CallError, path: &str) -> CallError {
    let message = match error.code {
        FailureCode::File(Code::StaleVersion) => wording::undo_stale(path),
        FailureCode::File(Code::NotFound) => wording::undo_gone(path),
        _ => return error,
    };
    let detail = error.detail.as_deref().unwrap_or_default();
    let separator = if detail.is_empty() { "" } else { "\n" };
    CallError {
        text: format!("Error: {message}{separator}{detail}"),
        message,
        ..error
    }
}

fn refused(message: String) -> CallError {
    CallError::of_call(CallCode::InvalidArguments, message)
}
