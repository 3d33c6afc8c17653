//! A flag by which a caller withdraws a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::wording::{Verb, aborted};

/// A flag that is looked at between system calls; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Lowers it, so that the next call may run.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// Whether it is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// `FS_ABORTED` if it is raised; called between system calls.
    pub(crate) fn check(&self, verb: Verb) -> Result<(), Error> {
        if self.is_cancelled() {
            return Err(aborted(verb));
        }
        Ok(())
    }
}
