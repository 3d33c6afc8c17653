//! Reads beside a session: a second store of the same session, and what it has seen taken
//! over.

use std::sync::Arc;

use super::Session;
use crate::failure::CallError;
use crate::options::SessionOptions;

impl Session {
    /// The same session once more, in a store of its own and with an empty memory: same
    /// label, ceiling, directories and seed. For reads that run beside this one; what they
    /// see counts once it was [absorbed](Self::absorb). The audit has no event for it.
    ///
    /// It is not for changes: they would be those of an agent that has seen nothing, and
    /// an [`undo`](Self::undo) here does not know of them. A mode that is set later, here
    /// or there, is not told to the other.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`: this session has ended, or the component broke while it
    /// started.
    pub fn reader(&self) -> Result<Self, CallError> {
        self.running.as_ref().map_err(|ended| ended.error())?;
        let options = SessionOptions {
            mode: self.ceiling.mode,
            ..self.options.clone()
        };
        Self::beside(Arc::clone(&self.prepared), options, self.ceiling.clone())
    }

    /// Takes over everything that a reader has seen, as if it were seen now: of a file that
    /// both know, the reader's version counts. If this session has changed the file since
    /// the reader read it, its next change is therefore refused as stale, and nothing is
    /// lost. Which lines of a file were read is not taken over, only that it was.
    ///
    /// # Errors
    /// `INVALID_ARGUMENTS`: the reader has another seed. That is so where pages were
    /// [restored](Self::restore) that were made under another one than
    /// [`SessionOptions::seed`]. `COMPONENT_TRAPPED`.
    pub fn absorb(&mut self, reader: &mut Self) -> Result<(), CallError> {
        let pages = reader.snapshot()?;
        self.restore(&pages)
    }

    /// The seed of the memory: whoever keeps a snapshot keeps it beside the pages, and
    /// gives it to the session that takes them in. A secret, as the pages are.
    #[must_use]
    pub fn seed(&self) -> (u64, u64) {
        self.options.seed.expect("a session that started has one")
    }
}
