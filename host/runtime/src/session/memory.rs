//! What a session has seen, taken out of it and into another one.

use std::sync::Arc;

use super::Session;
use crate::failure::{CallCode, CallError};
use crate::journal::Journal;
use crate::options::{ModeSource, SessionOptions};
use crate::wording;

/// The most pages of a snapshot that are taken from a component.
const MOST_PAGES: u32 = 65_536;

impl Session {
    /// What was seen, as pages of text for [`Session::restore`].
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`: also where the component gives pages without end.
    pub fn snapshot(&mut self) -> Result<Vec<String>, CallError> {
        self.snapshot_from(0)
    }

    /// The pages of a snapshot from this one on, counted from 0; none where there are not
    /// so many. The gate that ships puts what was observed last at the end of the last
    /// page; another gate may order its pages as it likes.
    ///
    /// # Errors
    /// As [`Session::snapshot`].
    pub fn snapshot_from(&mut self, first: u32) -> Result<Vec<String>, CallError> {
        let mut bytes_left = self.prepared.limits.memory_bytes;
        let mut pages = Vec::new();
        for number in first..MOST_PAGES {
            let page = self.enter("snapshot", |tools, store, handle| {
                tools.call_snapshot(store, handle, number)
            })?;
            let Some(page) = page else {
                return Ok(pages);
            };
            match bytes_left.checked_sub(page.len()) {
                Some(left) => bytes_left = left,
                None => break,
            }
            pages.push(page);
        }
        Err(self.end("snapshot", "its snapshot has no end".into()))
    }

    /// Takes the pages of a snapshot in, over what is known already.
    ///
    /// # Errors
    /// `INVALID_ARGUMENTS`: a page is not one; the pages before it were taken.
    /// `COMPONENT_TRAPPED`.
    pub fn restore(&mut self, pages: &[String]) -> Result<(), CallError> {
        for page in pages {
            self.check_size("page", page)?;
            let taken = self.enter("restore", |tools, store, handle| {
                tools.call_restore(store, handle, page)
            })?;
            taken.map_err(|reason| CallError::of_call(CallCode::InvalidArguments, reason))?;
        }
        Ok(())
    }

    /// The changes that [`Session::undo`] can take back, as text for
    /// [`Session::restore_changes`]: keys and versions, no content.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn changes(&self) -> Result<String, CallError> {
        let live = self.running.as_ref().map_err(|ended| ended.error())?;
        Ok(live.store.data().journal.to_text())
    }

    /// Takes the changes of a session in, in place of those that are known here.
    ///
    /// # Errors
    /// `INVALID_ARGUMENTS`: the text is not one of [`Session::changes`]; nothing is taken.
    /// `COMPONENT_TRAPPED`.
    pub fn restore_changes(&mut self, changes: &str) -> Result<(), CallError> {
        let live = self.running.as_mut().map_err(|ended| ended.error())?;
        match Journal::of_text(changes) {
            Some(journal) => live.store.data_mut().journal = journal,
            None => {
                let why = wording::no_changes();
                return Err(CallError::of_call(CallCode::InvalidArguments, why));
            }
        }
        Ok(())
    }

    /// A session for a sub-agent, in a store of its own: it knows what this one knows, and
    /// has its mode and roots. Grants are not inherited.
    ///
    /// # Errors
    /// As [`crate::Runtime::session`].
    pub fn fork(&mut self, id: Option<String>) -> Result<Self, CallError> {
        let pages = self.snapshot()?;
        let options = SessionOptions {
            id,
            ..self.options.clone()
        };
        let mut child = Self::fork_from(Arc::clone(&self.prepared), options, self.ceiling.clone())?;
        child.restore(&pages)?;
        if self.options.confined {
            child.set_mode(self.ceiling.mode, ModeSource::Delegation)?;
        }
        Ok(child)
    }
}
