//! Taking the last change of a session back.
//!
//! The old text goes the way of every write: through the component, which learns the new
//! version by it, through the ceiling and the fence. The guard is the host's own: the
//! file must still be what the change left, whatever the component would demand.

use std::sync::Arc;

use dsh_fs::error::Code;
use dsh_fs::history::History;
use dsh_fs::name::shown;

use super::Session;
use crate::failure::{CallCode, CallError, FailureCode};
use crate::journal::Change;
use crate::request::Request;
use crate::verbs::{ChangeAnswer, UndoArgs, WriteArgs};
use crate::wording;

impl Session {
    /// Takes back the last change that this session made and has not taken back: the file
    /// has its former bytes again. Further calls go further back, up to 256 changes. Needs
    /// files with a history; what can be taken back ends with the session. A `multi_edit`
    /// is taken back as a whole, or not at all.
    ///
    /// # Errors
    /// `FS_STALE_VERSION`: the file was changed since, by anybody; nothing is done, so
    /// that no later work is lost. `INVALID_ARGUMENTS`: there is no change to take back,
    /// it created the file, or its old text is not kept. `FS_SANDBOX_DENIED`: the mode of
    /// now does not allow the write. Then those of [`Session::write`].
    pub fn undo(&mut self, args: UndoArgs) -> Result<ChangeAnswer, CallError> {
        if let Some(group) = self.undoable_together()? {
            return self.undo_together(group, &args);
        }
        let (change, content) = self.undoable()?;
        self.check_size("content", &content)?;
        let write = WriteArgs {
            file_path: change.key.clone(),
            content,
            escalation: args.escalation,
        };
        let write = Arc::new(write.into());
        let request = Request::Write(Arc::clone(&write));
        if let Ok(live) = &mut self.running {
            live.store.data_mut().journal.begin_undo();
        }
        let answer = self.enter_for("undo", request, |tools, store, handle| {
            tools.call_write(store, handle, &write)
        })?;
        let answer: Result<ChangeAnswer, _> = self.judged("undo", answer);
        let path = shown(&change.key);
        match answer {
            Ok(answer) => Ok(ChangeAnswer {
                text: wording::undone(&path),
                ..answer
            }),
            Err(error) => Err(explained(error, &path)),
        }
    }

    /// The last change, and the text that it displaced.
    fn undoable(&self) -> Result<(Change, String), CallError> {
        let live = self.running.as_ref().map_err(|ended| ended.error())?;
        let history = self.options.files.history();
        let Some(change) = live
            .store
            .data()
            .journal
            .last()
            .filter(|_| history.is_some())
        else {
            return Err(refused(match history {
                Some(_) => wording::nothing_to_undo(),
                None => wording::no_history(),
            }));
        };
        let content = former_text(history.map(AsRef::as_ref), change)?;
        Ok((change.clone(), content))
    }
}

/// The text that a change displaced.
pub(super) fn former_text(history: Option<&History>, change: &Change) -> Result<String, CallError> {
    let Some(history) = history else {
        return Err(refused(wording::no_history()));
    };
    let path = shown(&change.key);
    let Some(previous) = &change.previous else {
        return Err(refused(wording::undo_of_creation(&path)));
    };
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
    if error.code != FailureCode::File(Code::StaleVersion) {
        return error;
    }
    let message = wording::undo_stale(path);
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
