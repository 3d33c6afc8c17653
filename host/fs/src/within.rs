//! Where a mutation may land: a capability that only the sandbox, or an embedder who asks
//! for no sandbox by name, can make; and who is told of it first.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;
use crate::roots::Root;
use crate::types::Target;

/// A change of a file that is about to be published.
#[derive(Clone, Copy, Debug)]
pub struct Intent<'i> {
    /// The file.
    pub target: &'i Target,
    /// The version of what it holds, which the publication will guard.
    pub previous: &'i str,
    /// The version of what it will hold.
    pub intended: &'i str,
    /// The bytes that it holds.
    pub old: &'i [u8],
}

/// Who is told of each change before it is published, and may stop it.
///
/// It may be told of one change several times: a publication is tried again where others
/// moved something meanwhile.
pub trait Witness: Send + Sync {
    /// Takes note of a change.
    ///
    /// # Errors
    /// The change must not be published; the error becomes that of the mutation.
    fn before_publication(&self, intent: &Intent<'_>) -> Result<(), Error>;
}

/// Where a mutation may land.
#[derive(Clone)]
pub struct Within {
    place: Place,
    witness: Option<Arc<dyn Witness>>,
}

#[derive(Clone, Debug)]
enum Place {
    Beneath(Arc<Root>),
    Anywhere,
}

impl Within {
    /// Beneath a canonical root that is pinned by device and inode.
    pub(crate) fn beneath(root: Arc<Root>) -> Self {
        Self::at(Place::Beneath(root))
    }

    /// Anywhere. Every place that reaches outside a root is found by this name.
    #[must_use]
    pub fn anywhere_unfenced() -> Self {
        Self::at(Place::Anywhere)
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            witness: None,
        }
    }

    /// The same place; this witness is told of each change of a file that is there.
    #[must_use]
    pub fn witnessed(self, witness: Arc<dyn Witness>) -> Self {
        Self {
            witness: Some(witness),
            ..self
        }
    }

    /// Who is to be told. A provider does so right before it publishes, once the guard has
    /// held and the new content is known.
    #[must_use]
    pub fn witness(&self) -> Option<&Arc<dyn Witness>> {
        self.witness.as_ref()
    }

    /// The root, if there is one.
    #[must_use]
    pub fn root(&self) -> Option<&Arc<Root>> {
        match &self.place {
            Place::Beneath(root) => Some(root),
            Place::Anywhere => None,
        }
    }
}

impl fmt::Debug for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Within")
            .field("place", &self.place)
            .field("witnessed", &self.witness.is_some())
            .finish()
    }
}
