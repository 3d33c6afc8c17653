//! The writable roots of a policy, derived in one place and pinned by device and inode.
//!
//! The fence of the files and the profiles of the shell both take their roots from
//! [`RootRules::derive`], so that they cannot drift apart.

mod deny_read;
mod narrowed;
mod protected;
mod root;

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::cancel::Cancel;
use crate::error::{Code, Error};
use crate::local::resolve::resolve;
use crate::name;
use crate::types::{ExecutionPolicy, Mode};

use deny_read::Pattern;
pub use deny_read::{BadGlob, DenyRead};
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
    deny_read: Vec<Pattern>,
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
            deny_read: Vec::new(),
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

    /// Content that nobody reads, and that no mutation touches, in every mode: a glob over
    /// canonical paths, an absolute one where it is, a relative one beneath the workspace
    /// and every root. `*` and `?` stop at a slash, `**` does not, capitals count, and what
    /// covers a directory covers everything in it. A place that is named without wildcards
    /// is covered as named and where it leads.
    ///
    /// Not protected against: another hard link or mount of the same file under a name that
    /// the rule does not cover, and facts other than content (a name in a listing of the
    /// directory above, a size).
    ///
    /// # Errors
    /// The pattern is no glob, or could never match a canonical path.
    pub fn with_deny_read(mut self, pattern: &str) -> Result<Self, BadGlob> {
        self.deny_read.push(Pattern::new(pattern)?);
        Ok(self)
    }

    /// A file or folder of the host itself, absolute: its content is neither read nor
    /// changed through the fence, in every mode, as by [`Self::with_deny_read`], and no
    /// character of it is a wildcard. It need not exist. A shell hides it from confined
    /// commands where its backend can; that it cannot is no gap of the policy, which is the
    /// deployment's.
    #[must_use]
    pub fn with_own(mut self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().as_os_str().as_bytes();
        self.deny_read.extend(Pattern::of_the_host(path));
        self
    }

    /// The roots of a policy: the workspace as it is now, `/tmp`, the temporary
    /// directory, the extra ones in the order in which they were given, each once. One
    /// that is no directory, or not the one that it was, contains nothing and is left
    /// out. Modes other than `workspace-write` have none; what is not to be read is the same
    /// in every mode.
    ///
    /// # Errors
    /// The workspace is there and cannot be opened.
    pub fn derive(&self, policy: &ExecutionPolicy) -> Result<Roots, Error> {
        let mut roots = Roots {
            mode: policy.mode,
            workspace: None,
            roots: Vec::new(),
            protected: Vec::new(),
            deny_read: self.denied(&policy.workspace_root)?,
            bounds: None,
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

    /// The deny-read rules, beneath the workspace and every root. One that was moved since
    /// is no longer written to, and no more read than before.
    fn denied(&self, workspace: &str) -> Result<Vec<DenyRead>, Error> {
        if self.deny_read.is_empty() {
            return Ok(Vec::new());
        }
        let mut bases: Vec<Vec<u8>> = match resolve(workspace, "", &Cancel::new()) {
            Ok(target) => vec![name::to_bytes(&target.key)],
            // No file has a path beneath it.
            Err(error) if error.code == Code::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        bases.extend(self.fixed.iter().map(|root| root.path().to_vec()));
        let rules = self.deny_read.iter();
        Ok(rules.flat_map(|rule| rule.beneath(&bases)).collect())
    }
}

/// The writable roots of one policy, pinned.
#[derive(Clone, Debug)]
pub struct Roots {
    mode: Mode,
    workspace: Option<Arc<Root>>,
    roots: Vec<Arc<Root>>,
    protected: Vec<Protected>,
    deny_read: Vec<DenyRead>,
    /// The directories that they are held to, where they are narrowed.
    bounds: Option<Vec<Arc<Root>>>,
}

impl Roots {
    /// The mode that they were derived for; of narrowed full access, `workspace-write`.
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

    /// What is not to be read, in the order of the rules and the roots, what is the host's
    /// own among them.
    #[must_use]
    pub fn deny_read(&self) -> &[DenyRead] {
        &self.deny_read
    }

    /// Whether a canonical path, as bytes, is not to be read: it matches a rule, or lies
    /// beneath one that does.
    #[must_use]
    pub fn deny_read_matches(&self, path: &[u8]) -> bool {
        self.deny_read.iter().any(|rule| rule.covers(path))
    }

    /// Whether no content may be read, and nothing changed, at a key. With deny-read rules
    /// that is so for everything of a process in /proc too: links there lead anywhere, and
    /// the environment of a process is a secret.
    #[must_use]
    pub fn denies_reading(&self, key: &str) -> bool {
        let of_a_process = |key: &str| {
            let name = key.strip_prefix("/proc/").unwrap_or_default();
            name.starts_with(|c: char| c.is_ascii_digit())
                || name.starts_with("self")
                || name.starts_with("thread-self")
        };
        !self.deny_read.is_empty()
            && (of_a_process(key) || self.deny_read_matches(&name::to_bytes(key)))
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
