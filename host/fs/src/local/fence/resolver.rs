//! The two ways to walk beneath a directory: one call, or one call a name.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;

use super::{Fence, Folder, Stop};
use crate::local::sys::{FOLDER, STEP};

/// How often a lookup is repeated that raced with a rename somewhere on the machine.
const RESTLESS: usize = 128;

/// How directories are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// openat2, confined by the kernel.
    Kernel,
    /// openat, name by name, where openat2 is missing or filtered.
    ByHand,
}

impl Fence {
    /// Walks as far as there are directories: where it ended, and what is missing.
    pub(super) fn walk(
        &self,
        root: BorrowedFd<'_>,
        names: Vec<CString>,
    ) -> Result<(Folder, Vec<CString>), Stop> {
        if self.walk_kind()? == Walk::Kernel {
            match self.by_kernel(root, &names) {
                Ok(folder) => return Ok((folder, Vec::new())),
                // The walk by hand is as safe, and finds out which name it was.
                Err(Stop::Os(Errno::NOENT | Errno::NOTDIR)) => {}
                Err(stop) => return Err(stop),
            }
        }
        self.by_hand(root, names)
    }

    /// Asks with a path that is always there, so that the answer can only be about the
    /// call itself; never because of what some other path answered.
    fn walk_kind(&self) -> Result<Walk, Stop> {
        if let Some(walk) = self.walk.get() {
            return Ok(*walk);
        }
        let top = self.top().map_err(|_| Stop::Os(Errno::IO))?;
        let walk = match self.kernel.open_beneath(top, c".", STEP) {
            Ok(_) => Walk::Kernel,
            Err(Errno::NOSYS | Errno::PERM) => Walk::ByHand,
            Err(errno) => return Err(Stop::Os(errno)),
        };
        Ok(*self.walk.get_or_init(|| walk))
    }

    fn by_kernel(&self, root: BorrowedFd<'_>, names: &[CString]) -> Result<Folder, Stop> {
        let path = joined(names);
        match self.open_confined(root, &path, FOLDER) {
            Ok(descriptor) => Ok(Folder {
                descriptor,
                readable: true,
            }),
            Err(Stop::Os(Errno::ACCESS)) => Ok(Folder {
                descriptor: self.open_confined(root, &path, STEP)?,
                readable: false,
            }),
            Err(stop) => Err(stop),
        }
    }

    fn open_confined(
        &self,
        root: BorrowedFd<'_>,
        path: &CStr,
        flags: rustix::fs::OFlags,
    ) -> Result<OwnedFd, Stop> {
        for _ in 0..RESTLESS {
            match self.kernel.open_beneath(root, path, flags) {
                Ok(descriptor) => return Ok(descriptor),
                Err(Errno::AGAIN) => std::thread::yield_now(),
                Err(Errno::LOOP | Errno::XDEV) => return Err(Stop::Link),
                Err(errno) => return Err(Stop::Os(errno)),
            }
        }
        Err(Stop::Restless)
    }

    fn by_hand(
        &self,
        root: BorrowedFd<'_>,
        names: Vec<CString>,
    ) -> Result<(Folder, Vec<CString>), Stop> {
        let mut here = self.kernel.open_at(root, c".", STEP).map_err(Stop::Os)?;
        let mut rest = names.into_iter();
        let mut missing = Vec::new();
        for name in rest.by_ref() {
            match self.step(&here, &name)? {
                Some(next) => here = next,
                None => {
                    missing.push(name);
                    break;
                }
            }
        }
        missing.extend(rest);
        let folder = Folder::reopen(&self.kernel, here).map_err(Stop::Os)?;
        Ok((folder, missing))
    }

    /// The directory of that name; `None` where nothing has the name.
    fn step(&self, here: &OwnedFd, name: &CStr) -> Result<Option<OwnedFd>, Stop> {
        match self.kernel.open_at(here, name, STEP) {
            Ok(next) => Ok(Some(next)),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => Err(self.obstacle(here.as_fd(), name)),
            Err(errno) => Err(Stop::Os(errno)),
        }
    }

    fn obstacle(&self, here: BorrowedFd<'_>, name: &CStr) -> Stop {
        match self.kernel.stat_at(here, name) {
            Ok(stat) if !stat.is_link() => Stop::NotDirectory,
            Ok(_) => Stop::Link,
            Err(errno) => Stop::Os(errno),
        }
    }
}

fn joined(names: &[CString]) -> CString {
    if names.is_empty() {
        return c".".to_owned();
    }
    let parts: Vec<&[u8]> = names.iter().map(|name| name.to_bytes()).collect();
    CString::new(parts.join(&b'/')).expect("joined from strings without NUL")
}
