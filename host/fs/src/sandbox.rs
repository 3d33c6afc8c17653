//! `SandboxedFileSystem`: the mode of a policy and its writable roots, kept over any provider.

mod fence;
mod files;

use std::sync::Arc;

use crate::error::Error;
use crate::history::{History, Remembering};
use crate::provider::Provider;
use crate::roots::{RootRules, Roots};
use crate::types::ExecutionPolicy;

pub use fence::leads_through_proc;
pub use files::{Files, OneShot};

/// Whether a handle accepts mutations without a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarding {
    /// An unconditional mutation is refused (`FS_NOT_OBSERVED`).
    Required,
    /// It is let through: the embedder asked for a bare provider by name.
    Bare,
}

/// Any provider, with a fence around its mutations.
pub struct SandboxedFileSystem {
    inner: Arc<dyn Provider>,
    rules: RootRules,
    history: Option<Arc<History>>,
}

impl SandboxedFileSystem {
    /// A fence around this provider. The rules are fixed from here on.
    #[must_use]
    pub fn new(inner: Arc<dyn Provider>, rules: RootRules) -> Self {
        Self {
            inner,
            rules,
            history: None,
        }
    }

    /// The same, remembering old texts: a stale error then says what changed, and a session
    /// can take a change back. The history is made under the secret of the provider.
    #[must_use]
    pub fn with_history(self, history: Arc<History>) -> Self {
        Self {
            inner: Arc::new(Remembering::new(self.inner, Arc::clone(&history))),
            history: Some(history),
            ..self
        }
    }

    /// The old texts, if any are kept.
    #[must_use]
    pub fn history(&self) -> Option<&Arc<History>> {
        self.history.as_ref()
    }

    /// Pins the roots of a policy as they are now. A session does this once, when it
    /// starts: a root that is another directory later is then noticed.
    ///
    /// # Errors
    /// A root that is there cannot be opened.
    pub fn pin(&self, policy: &ExecutionPolicy) -> Result<Arc<Roots>, Error> {
        self.rules.derive(policy).map(Arc::new)
    }

    /// Opens the files under a policy and the roots that were pinned for it. With `only`,
    /// the handle is good for exactly one mutation, of that target.
    ///
    /// Roots that were pinned for another mode open nothing.
    #[must_use]
    pub fn open(
        &self,
        policy: ExecutionPolicy,
        roots: Arc<Roots>,
        guarding: Guarding,
        only: Option<OneShot>,
    ) -> Files {
        Files::new(Arc::clone(&self.inner), policy, roots, guarding, only)
    }
}
