//! What a caller and a running call share: a flag that withdraws it, and how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::Error;
use crate::wording::{Verb, aborted};

/// A flag that is looked at between system calls, with a count of what was done so far;
/// clones share both.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    raised: AtomicBool,
    done: AtomicU64,
    expected: AtomicU64,
}

/// How far a call is: bytes of the files that it reads, or entries of the directory that it
/// lists. A call that reads twice counts twice, and never counts down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What was done.
    pub done: u64,
    /// What there is to do, as far as is known by now; a file that grows may exceed it.
    pub expected: u64,
}

impl Cancel {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises it.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Release);
    }

    /// Lowers it, so that the next call may run. The count stays.
    pub fn reset(&self) {
        self.0.raised.store(false, Ordering::Release);
    }

    /// Whether it is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::Acquire)
    }

    /// How far the calls under this flag are.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            done: self.0.done.load(Ordering::Relaxed),
            expected: self.0.expected.load(Ordering::Relaxed),
        }
    }

    /// So much more was done. For providers; callers read it.
    pub fn advance(&self, done: u64) {
        self.0.done.fetch_add(done, Ordering::Relaxed);
    }

    /// So much more is to be done. For providers.
    pub fn expect(&self, more: u64) {
        self.0.expected.fetch_add(more, Ordering::Relaxed);
    }

    /// `FS_ABORTED` if it is raised; called between system calls.
    pub(crate) fn check(&self, verb: Verb) -> Result<(), Error> {
        if self.is_cancelled() {
            return Err(aborted(verb));
        }
        Ok(())
    }
}
