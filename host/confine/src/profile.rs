//! What a policy asks of a backend, taken from the roots that the fence uses.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::name;
use dsh_fs::roots::{Root, Roots};
use dsh_fs::types::{ExecutionPolicy, Mode};

use crate::hidden::Hidden;
use crate::options::Network;
use crate::place;

/// What a policy asks of a backend.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) mode: Mode,
    /// The roots that a command may write beneath, in the order of the fence.
    pub(crate) writable: Vec<Arc<Root>>,
    /// Roots that are none for a command: the kernel makes what is in them.
    pub(crate) kernel: Vec<PathBuf>,
    /// Sub-paths that stay read-only, as they are spelled; they need not exist.
    pub(crate) protected: Vec<PathBuf>,
    pub(crate) hidden: Hidden,
    /// What the host keeps for itself and exists: hidden where a backend can hide, and no
    /// gap where it cannot.
    pub(crate) own: Vec<PathBuf>,
    pub(crate) network: Network,
}

/// The workspace is another directory than the one that was pinned.
#[derive(Debug)]
pub(crate) struct Moved(pub(crate) String);

impl Profile {
    /// The profile of a policy. As with the fence, a root that was moved since it was
    /// pinned contains nothing, and a workspace that was moved ends it.
    pub(crate) fn new(
        policy: &ExecutionPolicy,
        roots: &Roots,
        network: Network,
    ) -> Result<Self, Moved> {
        let moved = |root: &&Arc<Root>| !root.is_unmoved();
        if let Some(root) = roots.workspace().filter(moved) {
            return Err(Moved(root.text()));
        }
        // Roots that were pinned for another mode open nothing.
        let agreed = policy.mode == Mode::WorkspaceWrite && roots.mode() == policy.mode;
        let all = if agreed { roots.as_slice() } else { &[] };
        let unmoved = all.iter().filter(|root| root.is_unmoved()).cloned();
        let (kernel, writable): (Vec<_>, Vec<_>) = unmoved.partition(|root| is_kernels(root));
        let protected = roots.protected_paths();
        Ok(Self {
            mode: policy.mode,
            writable,
            kernel: kernel.iter().map(|root| path_of(root)).collect(),
            protected: protected.iter().map(|text| from_text(text)).collect(),
            hidden: Hidden::default(),
            own: own(roots),
            network,
        })
    }

    /// Whether everything may be written: full access, from which something is hidden.
    pub(crate) fn is_unfenced(&self) -> bool {
        self.mode == Mode::DangerFullAccess
    }

    /// Whether a canonical path may be written: beneath a root and not protected.
    pub(crate) fn admits(&self, path: &Path) -> bool {
        if self.is_unfenced() {
            return true;
        }
        let beneath = |root: &Arc<Root>| path.starts_with(path_of(root));
        let covered = |protected: &PathBuf| path.starts_with(protected);
        self.writable.iter().any(beneath) && !self.protected.iter().any(covered)
    }
}

fn own(roots: &Roots) -> Vec<PathBuf> {
    let own = roots.deny_read().iter().filter(|rule| rule.is_own());
    let places = own.map(|rule| PathBuf::from(OsString::from_vec(rule.place().to_vec())));
    places
        .filter_map(|place| place::canonical(&place))
        .collect()
}

/// Whether the kernel makes what is in a root: the fence refuses `/proc`, and a command
/// gets devices of its own.
fn is_kernels(root: &Root) -> bool {
    let path = path_of(root);
    path == Path::new("/dev") || path.starts_with("/proc")
}

/// The path of a root as the system takes it.
pub(crate) fn path_of(root: &Root) -> PathBuf {
    PathBuf::from(OsString::from_vec(root.path().to_vec()))
}

fn from_text(text: &str) -> PathBuf {
    PathBuf::from(OsString::from_vec(name::to_bytes(text)))
}
