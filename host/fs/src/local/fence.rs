//! The fence: a target becomes an open directory and a last name, with no link followed.
//!
//! A key is a canonical path, so a link that is met on the walk was put there since, and
//! is never followed. The walk begins at the pinned descriptor of the root, never at a
//! path. A directory that somebody moves after it was opened is still the one that is
//! written to.

mod resolver;

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::io::Errno;

use super::publish::failure::Failure;
use super::sys::{FOLDER, Kernel, STEP};
use crate::name;
use crate::types::Target;
use crate::within::Within;

pub use resolver::Walk;

/// Opens places for mutations.
#[derive(Debug)]
pub(crate) struct Fence {
    kernel: Kernel,
    walk: OnceLock<Walk>,
    top: OnceLock<OwnedFd>,
}

/// Where a target is, or would be.
#[derive(Debug)]
pub(crate) struct Place {
    /// The deepest directory on the way that exists.
    pub(crate) folder: Folder,
    /// The directories below it that do not exist, outermost first.
    pub(crate) missing: Vec<CString>,
    /// The last name.
    pub(crate) name: CString,
}

/// An open directory.
#[derive(Debug)]
pub(crate) struct Folder {
    descriptor: OwnedFd,
    /// Whether it could be opened for reading, and so be listed, locked and synced.
    pub(crate) readable: bool,
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl Fence {
    /// A fence; `walk` prescribes how it walks, else the kernel is asked once.
    pub(crate) fn new(kernel: Kernel, walk: Option<Walk>) -> Self {
        Self {
            kernel,
            walk: walk.map_or_else(OnceLock::new, OnceLock::from),
            top: OnceLock::new(),
        }
    }

    /// Opens the place of a target; makes nothing.
    ///
    /// Refuses a target that is not beneath the root, and a link on the way.
    pub(crate) fn place(&self, target: &Target, within: &Within) -> Result<Place, Failure> {
        let key = name::to_bytes(&target.key);
        match within.root() {
            Some(root) => {
                let rest = beneath(&key, root.path()).ok_or(Failure::Outside)?;
                self.place_beneath(root.directory(), rest, Failure::Outside)
            }
            None => {
                let rest = beneath(&key, b"/").ok_or(Failure::NotCanonical)?;
                self.place_beneath(self.top()?, rest, Failure::Elsewhere)
            }
        }
    }

    fn place_beneath(
        &self,
        root: BorrowedFd<'_>,
        rest: &[u8],
        at_link: Failure,
    ) -> Result<Place, Failure> {
        let mut names = split(rest)?;
        // The root itself is a directory.
        let name = names.pop().ok_or(Failure::NotRegular)?;
        let (folder, missing) = self.walk(root, names).map_err(|stop| match stop {
            Stop::Link => at_link,
            Stop::NotDirectory => Failure::ParentNotDirectory,
            Stop::Os(errno) => Failure::Os(errno),
            Stop::Restless => Failure::Restless,
        })?;
        Ok(Place {
            folder,
            missing,
            name,
        })
    }

    fn top(&self) -> Result<BorrowedFd<'_>, Failure> {
        if self.top.get().is_none() {
            let opened = self.kernel.open_at(rustix::fs::CWD, c"/", STEP)?;
            // Another thread may have been first; its descriptor is as good.
            let _ = self.top.set(opened);
        }
        Ok(self.top.get().expect("set above").as_fd())
    }
}

/// Why a walk ended early.
pub(crate) enum Stop {
    Link,
    NotDirectory,
    Restless,
    Os(Errno),
}

impl Folder {
    /// A directory, readable where its permissions allow.
    pub(crate) fn reopen(kernel: &Kernel, step: OwnedFd) -> Result<Self, Errno> {
        match kernel.open_at(&step, c".", FOLDER) {
            Ok(descriptor) => Ok(Self {
                descriptor,
                readable: true,
            }),
            Err(Errno::ACCESS) => Ok(Self {
                descriptor: step,
                readable: false,
            }),
            Err(errno) => Err(errno),
        }
    }
}

/// What follows the root in a key, by whole names; empty for the root itself.
fn beneath<'a>(key: &'a [u8], root: &[u8]) -> Option<&'a [u8]> {
    let root = root.strip_suffix(b"/").unwrap_or(root);
    match key.strip_prefix(root)? {
        [] => Some(&[]),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// The names of a path. A key with anything but names in it was not given by `resolve`.
fn split(path: &[u8]) -> Result<Vec<CString>, Failure> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    path.split(|byte| *byte == b'/')
        .map(|name| match name {
            b"" | b"." | b".." => Err(Failure::NotCanonical),
            _ => CString::new(name).map_err(|_| Failure::NotCanonical),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{beneath, split};

    /// Fails when `beneath` compares bytes without looking for the slash.
    #[test]
    fn containment_is_by_whole_names() {
        assert_eq!(beneath(b"/a/b/c", b"/a/b"), Some(&b"c"[..]));
        assert_eq!(beneath(b"/a/b", b"/a/b"), Some(&b""[..]));
        assert_eq!(beneath(b"/a/bc", b"/a/b"), None);
        assert_eq!(beneath(b"/x", b"/"), Some(&b"x"[..]));
        assert_eq!(beneath(b"relative", b"/"), None);
    }

    /// Fails when `split` lets a step up or an empty name through.
    #[test]
    fn a_key_is_made_of_names_alone() {
        for key in [&b"a/../b"[..], b"a//b", b"a/", b"./a", b"a/\0"] {
            assert!(split(key).is_err(), "{key:?}");
        }
        assert_eq!(split(b"a/b").map(|names| names.len()).ok(), Some(2));
    }
}
