//! Where a mutation may land: a capability that only the sandbox, or an embedder who asks
//! for no sandbox by name, can make.

use std::sync::Arc;

use crate::roots::Root;

/// Where a mutation may land.
#[derive(Clone, Debug)]
pub struct Within(Place);

#[derive(Clone, Debug)]
enum Place {
    Beneath(Arc<Root>),
    Anywhere,
}

impl Within {
    /// Beneath a canonical root that is pinned by device and inode.
    pub(crate) fn beneath(root: Arc<Root>) -> Self {
        Self(Place::Beneath(root))
    }

    /// Anywhere. Every place that reaches outside a root is found by this name.
    #[must_use]
    pub fn anywhere_unfenced() -> Self {
        Self(Place::Anywhere)
    }

    /// The root, if there is one.
    #[must_use]
    pub fn root(&self) -> Option<&Arc<Root>> {
        match &self.0 {
            Place::Beneath(root) => Some(root),
            Place::Anywhere => None,
        }
    }
}
