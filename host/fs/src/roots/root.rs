//! One writable root: a directory, held open.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode as Permissions, OFlags, StatxFlags, fstat, open, stat, statx};
use rustix::io::Errno;

use crate::cancel::Cancel;
use crate::error::{Code, Error};
use crate::local::key::is_beneath;
use crate::local::resolve::resolve;
use crate::name;
use crate::wording::{self, Verb};

/// A canonical directory, pinned: it is held open, and known by device and inode.
#[derive(Debug)]
pub struct Root {
    path: Vec<u8>,
    device: u64,
    inode: u64,
    directory: OwnedFd,
}

impl Root {
    /// Finds and opens the directory of an absolute path; nothing where there is none.
    pub(super) fn find(path: &str) -> Result<Option<Self>, Error> {
        match resolve(path, "", &Cancel::new()) {
            Ok(target) => Self::open(name::to_bytes(&target.key), &target.display),
            Err(error) if error.code == Code::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(path: Vec<u8>, display: &str) -> Result<Option<Self>, Error> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let failed = |errno| wording::from_errno(Verb::Resolve, display, errno);
        let directory = match open(path.as_slice(), flags, Permissions::empty()) {
            Ok(directory) => directory,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
            Err(errno) => return Err(failed(errno)),
        };
        let stat = fstat(&directory).map_err(failed)?;
        Ok(Some(Self {
            path,
            device: stat.st_dev,
            inode: stat.st_ino,
            directory,
        }))
    }

    /// The canonical path that it had when it was opened, as bytes.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// The same as text, in the name escape.
    #[must_use]
    pub fn text(&self) -> String {
        name::to_text(&self.path)
    }

    /// The device it lies on.
    #[must_use]
    pub fn device(&self) -> u64 {
        self.device
    }

    /// Its inode.
    #[must_use]
    pub fn inode(&self) -> u64 {
        self.inode
    }

    /// When it was made, in seconds and nanoseconds since 1970; nothing where the file system
    /// does not tell. An inode can be given to another directory later, this moment cannot.
    #[must_use]
    pub fn born(&self) -> Option<(i64, u32)> {
        let found = statx(&self.directory, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME).ok()?;
        let told = found.stx_mask & StatxFlags::BTIME.bits() != 0;
        told.then_some((found.stx_btime.tv_sec, found.stx_btime.tv_nsec))
    }

    /// The open directory (`O_PATH`): where a walk beneath the root begins.
    #[must_use]
    pub fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Whether a canonical path is strictly beneath it, by whole names.
    #[must_use]
    pub fn contains(&self, path: &[u8]) -> bool {
        is_beneath(&self.path, path)
    }

    /// The names from the root to a canonical path strictly beneath it, without a slash
    /// at either end.
    #[must_use]
    pub fn rest_of<'a>(&self, path: &'a [u8]) -> Option<&'a [u8]> {
        let prefix = self.path.strip_suffix(b"/").unwrap_or(&self.path).len();
        self.contains(path).then(|| &path[prefix + 1..])
    }

    /// Whether the path still leads to this directory, and not to another one or nowhere.
    #[must_use]
    pub fn is_unmoved(&self) -> bool {
        stat(self.path.as_slice())
            .is_ok_and(|now| (now.st_dev, now.st_ino) == (self.device, self.inode))
    }
}
