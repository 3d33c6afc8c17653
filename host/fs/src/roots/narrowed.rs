//! Roots that are held to a few directories more closely than their policy holds them.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Root, Roots};
use crate::local::key::is_beneath;
use crate::name;
use crate::types::Mode;

impl Roots {
    /// The same roots, where nothing is changed outside these directories: whatever the mode
    /// allows, and whoever approves it. It never widens. A directory that is not there, or
    /// cannot be opened, contains nothing; without any, nothing may be changed at all.
    ///
    /// Each root becomes what it has in common with the directories. Those of full access
    /// become the directories themselves, under `workspace-write`: so they confine a shell
    /// as well.
    #[must_use]
    pub fn narrowed_to(&self, directories: &[PathBuf]) -> Self {
        let found = directories.iter().filter_map(|directory| {
            let path = name::to_text(directory.as_os_str().as_bytes());
            Root::find(&path).ok().flatten().map(Arc::new)
        });
        let bounds: Vec<_> = found.collect();
        let (mode, roots) = match self.mode {
            Mode::DangerFullAccess => (Mode::WorkspaceWrite, bounds.clone()),
            mode => (mode, in_common(&self.roots, &bounds)),
        };
        Self {
            mode,
            roots,
            bounds: Some(bounds),
            ..self.clone()
        }
    }

    /// Whether they are held to a few directories.
    #[must_use]
    pub fn is_narrowed(&self) -> bool {
        self.bounds.is_some()
    }

    /// Whether a key lies outside the directories that they are held to.
    #[must_use]
    pub fn excludes(&self, key: &str) -> bool {
        let path = name::to_bytes(key);
        let outside = |bounds: &Vec<Arc<Root>>| !bounds.iter().any(|bound| bound.contains(&path));
        self.bounds.as_ref().is_some_and(outside)
    }
}

/// Every directory that lies in, or is, one of each.
fn in_common(roots: &[Arc<Root>], bounds: &[Arc<Root>]) -> Vec<Arc<Root>> {
    let mut common: Vec<Arc<Root>> = Vec::new();
    for root in roots {
        for bound in bounds {
            let Some(inner) = inner(root, bound) else {
                continue;
            };
            if !common.iter().any(|known| known.path() == inner.path()) {
                common.push(Arc::clone(inner));
            }
        }
    }
    common
}

/// The inner one of two directories that lie in one another.
fn inner<'a>(one: &'a Arc<Root>, other: &'a Arc<Root>) -> Option<&'a Arc<Root>> {
    let (first, second) = (one.path(), other.path());
    if first == second || is_beneath(second, first) {
        Some(one)
    } else if is_beneath(first, second) {
        Some(other)
    } else {
        None
    }
}
