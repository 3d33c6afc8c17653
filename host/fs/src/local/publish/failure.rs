//! Why a mutation did not happen, before it is worded for the path as shown.

use rustix::io::Errno;

use crate::error::Error;
use crate::types::Mode;
use crate::wording::{self, Verb, publication};

/// A failure inside the mutation half.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The operating system said so.
    Os(Errno),
    /// The target is not beneath the root, or a link stands on the way.
    Outside,
    /// Without a root: a link stands where a directory was.
    Elsewhere,
    /// The key was not given by `resolve`.
    NotCanonical,
    /// A file is used as a directory.
    ParentNotDirectory,
    /// Lookups raced with renames for too long.
    Restless,
    /// Another program's lease kept the file from being opened.
    HeldBack,
    /// Nothing is there.
    NotFound,
    /// What was seen is gone.
    Gone,
    /// What was seen has changed.
    Stale,
    /// Something is there that was never seen.
    Exists,
    /// It is no regular file.
    NotRegular,
    /// It has this many names.
    HardLinked(u64),
    /// This part of its metadata cannot be given to another file.
    NotReproducible(String),
    /// The name is a mount point.
    MountedOn,
    /// Nothing can be made in the directory.
    FolderNotWritable(Errno),
    /// Writing in place failed; whether the old content could be put back.
    Overwriting {
        /// Why it failed.
        errno: Errno,
        /// Whether the file is as it was.
        restored: bool,
    },
    /// A file without a name cannot be given one here: stage under names from now on.
    Unlinkable,
    /// Nothing that cannot replace a file works here.
    NoSafeCreate,
    /// What is taken out here could not be put back.
    NoSafeRemove,
    /// The caller cancelled.
    Aborted,
    /// The caller cancelled before anything was staged.
    AbortedEarly,
    /// It has its own words already.
    Worded(Box<Error>),
    /// The world moved between two steps: the whole may succeed if it is tried again.
    Again,
}

impl From<Errno> for Failure {
    fn from(errno: Errno) -> Self {
        Self::Os(errno)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Worded(Box::new(error))
    }
}

impl Failure {
    /// The failure in words, for a target as it is shown.
    pub(crate) fn worded(self, verb: Verb, display: &str) -> Error {
        match self {
            Self::Os(errno) | Self::FolderNotWritable(errno) => {
                wording::from_errno(verb, display, errno)
            }
            Self::Outside => wording::denied(display, Mode::WorkspaceWrite),
            Self::Elsewhere => wording::leads_elsewhere(verb, display),
            Self::NotCanonical => wording::key_not_canonical(verb, display),
            Self::ParentNotDirectory => wording::parent_not_directory(verb, display),
            Self::Restless => publication::restless(verb, display),
            Self::HeldBack => publication::held_back(verb, display),
            Self::NotFound => wording::not_found(verb, display),
            Self::Gone => wording::gone(verb, display),
            Self::Stale => wording::stale(verb, display),
            Self::Exists => wording::exists(display),
            Self::NotRegular => wording::not_regular(verb, display),
            Self::HardLinked(links) => publication::hard_linked(verb, display, links),
            Self::NotReproducible(what) => publication::not_reproducible(verb, display, &what),
            Self::MountedOn => publication::mounted_on(verb, display),
            Self::Overwriting { errno, restored } => {
                publication::failed_in_place(verb, display, errno, restored)
            }
            Self::NoSafeCreate => publication::cannot_create_safely(verb, display),
            Self::NoSafeRemove => publication::cannot_remove_safely(verb, display),
            Self::Aborted => wording::aborted(Verb::Write),
            Self::AbortedEarly => wording::aborted(verb),
            Self::Worded(error) => *error,
            Self::Again | Self::Unlinkable => publication::keeps_changing(verb, display),
        }
    }
}
