//! The writable roots of a policy, derived in one place and pinned by device and inode.
//!
//! The fence of the files and the profiles of the shell both take their roots from
//! [`RootRules::derive`], so that they cannot drift apart.

mod protected;
mod root;

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::name;
use crate::types::{ExecutionPolicy, Mode};

pub(crate) use protected::Protected;
pub use root::Root;

/// Which directories `workspace-write` opens besides the workspace.
///
/// They are found and pinned when the rules are made, which a host does once, when it
/// starts: neither its environment nor a link that somebody changes later can widen them.
/// One that is no directory by then contains nothing.
#[derive(Clone, Debug)]
pub struct RootRules {
    fixed: Vec<Arc<Root>>,
    protected: Vec<Vec<u8>>,
}

impl RootRules {
    /// The workspace, `/tmp`, and the platform's temporary directory as the caller knows
    /// it; a relative one, and the root of the disk, are left out.
    #[must_use]
    pub fn new(temporary_directory: Option<&Path>) -> Self {
        let rules = Self::workspace_only().with_root("/tmp");
        match temporary_directory {
            // The whole disk is no temporary directory, whatever the environment says.
            Some(path) if path.parent().is_some() => rules.with_root(path),
            _ => rules,
        }
    }

    /// The workspace alone: both temporary directories are switched off.
    #[must_use]
    pub fn workspace_only() -> Self {
        Self {
            fixed: Vec::new(),
            protected: Vec::new(),
        }
    }

    /// One root more. A path that is relative, or leads to no directory that can be
    /// opened, adds nothing.
    #[must_use]
    pub fn with_root(mut self, path: impl AsRef<Path>) -> Self {
        let path = name::to_text(path.as_ref().as_os_str().as_bytes());
        if let Ok(Some(root)) = Root::find(&path) {
            self.fixed.push(Arc::new(root));
        }
        self
    }

    /// A sub-path that stays read-only: a relative one (`.git/hooks`) beneath every root,
    /// an absolute one where it is. It need not exist.
    #[must_use]
    pub fn with_protected(mut self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().as_os_str().as_bytes();
        self.protected.push(path.to_vec());
        self
    }

    /// The roots of a policy: the workspace as it is now, `/tmp`, the temporary
    /// directory, the extra ones in the order in which they were given, each once. One
    /// that is no directory, or not the one that it was, contains nothing and is left
    /// out. Modes other than `workspace-write` have none.
    ///
    /// # Errors
    /// The workspace is there and cannot be opened.
    pub fn derive(&self, policy: &ExecutionPolicy) -> Result<Roots, Error> {
        let mut roots = Roots {
            mode: policy.mode,
            workspace: None,
            roots: Vec::new(),
            protected: Vec::new(),
        };
        if policy.mode != Mode::WorkspaceWrite {
            return Ok(roots);
        }
        roots.workspace = Root::find(&policy.workspace_root)?.map(Arc::new);
        roots.roots.extend(roots.workspace.clone());
        for root in self.fixed.iter().filter(|root| root.is_unmoved()) {
            if !roots.is_root(root.path()) {
                roots.roots.push(Arc::clone(root));
            }
        }
        roots.protected = Protected::beneath(&self.protected, &roots.roots);
        Ok(roots)
    }
}

/// The writable roots of one policy, pinned.
#[derive(Debug)]
pub struct Roots {
    mode: Mode,
    workspace: Option<Arc<Root>>,
    roots: Vec<Arc<Root>>,
    protected: Vec<Protected>,
}

impl Roots {
    /// The mode that they were derived for.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The roots in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Arc<Root>] {
        &self.roots
    }

    /// Their canonical paths in order, in the name escape.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.roots.iter().map(|root| root.text()).collect()
    }

    /// The root that is the workspace, if there is such a directory.
    #[must_use]
    pub fn workspace(&self) -> Option<&Arc<Root>> {
        self.workspace.as_ref()
    }

    /// The canonical paths of the sub-paths that stay read-only, whether or not they
    /// exist, in the name escape.
    #[must_use]
    pub fn protected_paths(&self) -> Vec<String> {
        self.protected.iter().map(Protected::text).collect()
    }

    /// The first root that a canonical path is strictly beneath.
    pub(crate) fn containing(&self, path: &[u8]) -> Option<&Arc<Root>> {
        self.roots.iter().find(|root| root.contains(path))
    }

    pub(crate) fn is_root(&self, path: &[u8]) -> bool {
        self.roots.iter().any(|root| root.path() == path)
    }

    /// The protected sub-path that a mutation of this canonical path would touch.
    pub(crate) fn protecting(&self, path: &[u8]) -> Option<String> {
        let touched = self
            .protected
            .iter()
            .find(|protected| protected.covers(path));
        touched.map(Protected::text)
    }
}
