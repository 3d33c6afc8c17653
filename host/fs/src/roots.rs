//! The writable roots of a policy, derived in one place and pinned by device and inode.
//!
//! The fence of the files and the profiles of the shell both take their roots from
//! [`RootRules::derive`], so that they cannot drift apart.

mod protected;
mod root;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cancel::Cancel;
use crate::error::{Code, Error};
use crate::local::resolve::resolve;
use crate::name;
use crate::types::{ExecutionPolicy, Mode};

pub(crate) use protected::Protected;
pub use root::Root;

/// Which directories `workspace-write` opens besides the workspace, fixed when the host
/// starts: nothing that happens to the environment later can widen them.
#[derive(Clone, Debug)]
pub struct RootRules {
    temporary: Vec<PathBuf>,
    extra: Vec<PathBuf>,
    protected: Vec<Vec<u8>>,
}

impl RootRules {
    /// The workspace, `/tmp`, and the platform's temporary directory as the caller knows
    /// it; a relative or empty one is left out.
    #[must_use]
    pub fn new(temporary_directory: Option<&Path>) -> Self {
        let mut rules = Self::workspace_only();
        rules.temporary.push(PathBuf::from("/tmp"));
        rules.temporary.extend(
            temporary_directory
                .filter(|path| path.is_absolute())
                .map(Path::to_path_buf),
        );
        rules
    }

    /// The workspace alone: both temporary directories are switched off.
    #[must_use]
    pub fn workspace_only() -> Self {
        Self {
            temporary: Vec::new(),
            extra: Vec::new(),
            protected: Vec::new(),
        }
    }

    /// One root more, absolute.
    #[must_use]
    pub fn with_root(mut self, path: impl Into<PathBuf>) -> Self {
        self.extra.push(path.into());
        self
    }

    /// A sub-path that stays read-only: a relative one (`.git/hooks`) beneath every root,
    /// an absolute one where it is.
    #[must_use]
    pub fn with_protected(mut self, path: impl AsRef<Path>) -> Self {
        self.protected
            .push(path.as_ref().as_os_str().as_bytes().to_vec());
        self
    }

    /// The roots of a policy as they are now: the workspace, `/tmp`, the temporary
    /// directory, the extra ones, each once. A root that is no directory contains nothing
    /// and is left out. Modes other than `workspace-write` have none.
    ///
    /// # Errors
    /// A root that is there cannot be opened.
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
        roots.workspace = roots.add(&policy.workspace_root)?;
        for path in self.temporary.iter().chain(&self.extra) {
            roots.add(&text(path.as_os_str()))?;
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

    fn add(&mut self, path: &str) -> Result<Option<Arc<Root>>, Error> {
        let canonical = match resolve(path, "", &Cancel::new()) {
            Ok(target) => target,
            Err(error) if error.code == Code::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let path = name::to_bytes(&canonical.key);
        if let Some(known) = self.roots.iter().find(|root| root.path() == path) {
            return Ok(Some(Arc::clone(known)));
        }
        let root = Root::open(path, &canonical.display)?.map(Arc::new);
        self.roots.extend(root.clone());
        Ok(root)
    }
}

fn text(path: &OsStr) -> String {
    name::to_text(path.as_bytes())
}
