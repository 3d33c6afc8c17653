//! Opening, and facts about what is open.

use std::ffi::CStr;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{FlockOperation, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::{Call, FileId, Kernel, Stat};

/// A directory as a place to walk from; needs search permission only.
pub(crate) const STEP: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A directory that can be listed, locked and synced; needs read permission.
pub(crate) const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A file, without waiting for the other end of a FIFO or becoming a terminal's owner.
pub(crate) const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

impl Kernel {
    /// Opens a path beneath a directory; links, magic links and `..` beyond it fail.
    pub(crate) fn open_beneath(
        &self,
        root: impl AsFd,
        path: &CStr,
        flags: OFlags,
    ) -> Result<OwnedFd, Errno> {
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        self.call(Call::OpenBeneath, || {
            rustix::fs::openat2(root.as_fd(), path, flags, Mode::empty(), resolve)
        })
    }

    /// Opens one name. The flags decide whether a link is followed: all of ours say no.
    pub(crate) fn open_at(
        &self,
        directory: impl AsFd,
        name: &CStr,
        flags: OFlags,
    ) -> Result<OwnedFd, Errno> {
        self.call(Call::OpenAt, || {
            rustix::fs::openat(directory.as_fd(), name, flags, Mode::empty())
        })
    }

    /// Makes a file without a name, on the file system of the directory.
    pub(crate) fn open_unnamed(
        &self,
        directory: impl AsFd,
        permissions: u32,
    ) -> Result<OwnedFd, Errno> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(permissions);
        self.call(Call::OpenUnnamed, || {
            rustix::fs::openat(directory.as_fd(), c".", flags, mode)
        })
    }

    /// Makes a file under a name that must be free.
    pub(crate) fn open_staged(
        &self,
        directory: impl AsFd,
        name: &CStr,
        permissions: u32,
    ) -> Result<OwnedFd, Errno> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(permissions);
        self.call(Call::OpenStaged, || {
            rustix::fs::openat(directory.as_fd(), name, flags, mode)
        })
    }

    /// Facts about an open file.
    pub(crate) fn stat(&self, file: impl AsFd) -> Result<Stat, Errno> {
        self.call(Call::Stat, || rustix::fs::fstat(file.as_fd()))
            .map(|raw| Stat::from_raw(&raw))
    }

    /// Facts about a name; a link is not followed.
    pub(crate) fn stat_at(&self, directory: impl AsFd, name: &CStr) -> Result<Stat, Errno> {
        let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
        self.call(Call::StatAt, || {
            rustix::fs::statat(directory.as_fd(), name, flags)
        })
        .map(|raw| Stat::from_raw(&raw))
    }

    /// Takes or gives back an advisory lock of the whole file or directory.
    pub(crate) fn lock(&self, file: impl AsFd, operation: FlockOperation) -> Result<(), Errno> {
        self.call(Call::Lock, || rustix::fs::flock(file.as_fd(), operation))
    }
}

impl Stat {
    #[allow(
        clippy::useless_conversion,
        reason = "the widths of the fields differ between machines"
    )]
    fn from_raw(raw: &rustix::fs::Stat) -> Self {
        Self {
            id: FileId {
                device: raw.st_dev,
                inode: raw.st_ino,
            },
            mode: raw.st_mode,
            links: u64::from(raw.st_nlink),
            uid: raw.st_uid,
            gid: raw.st_gid,
            size: u64::try_from(raw.st_size).unwrap_or(0),
            modified: (raw.st_mtime, nanoseconds(raw.st_mtime_nsec)),
            changed: (raw.st_ctime, nanoseconds(raw.st_ctime_nsec)),
        }
    }
}

fn nanoseconds(part: impl TryInto<i64>) -> i64 {
    part.try_into().unwrap_or(0)
}
