//! The system calls of a mutation, one method each.
//!
//! This is the only place of the crate with unsafe code. Nothing here decides anything:
//! a method makes one call, announces it first to a [`Watch`], and repeats it when a
//! signal interrupted it. The error is the bare error number.

mod access;
mod content;
mod landlock;
mod lease;
mod metadata;
mod names;
mod open;

use std::fmt;
use std::sync::Arc;

use rustix::io::Errno;

pub(crate) use content::Chunk;
pub(crate) use landlock::landlock_abi;
pub(crate) use lease::LeaseState;
pub(crate) use open::{FILE, FOLDER, STEP};

/// A system call, as it is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// openat2, confined.
    OpenBeneath,
    /// openat of one name.
    OpenAt,
    /// openat with `O_TMPFILE`.
    OpenUnnamed,
    /// openat of a new staging file.
    OpenStaged,
    /// mkdirat.
    MakeDirectory,
    /// unlinkat of a file.
    RemoveFile,
    /// unlinkat of a directory.
    RemoveDirectory,
    /// fstat.
    Stat,
    /// fstatat of one name, links not followed.
    StatAt,
    /// getdents64.
    List,
    /// pread.
    Read,
    /// write, or pwrite.
    Write,
    /// ftruncate.
    Truncate,
    /// fsync.
    Sync,
    /// fchmod.
    ChangeMode,
    /// fchown.
    ChangeOwner,
    /// flistxattr.
    ListAttributes,
    /// fgetxattr.
    GetAttribute,
    /// fsetxattr.
    SetAttribute,
    /// fremovexattr.
    RemoveAttribute,
    /// ioctl with `FS_IOC_GETFLAGS`.
    GetFlags,
    /// ioctl with `FS_IOC_SETFLAGS`.
    SetFlags,
    /// faccessat2 of an open file.
    MayWrite,
    /// linkat of an open file without a name.
    LinkUnnamed,
    /// linkat of a name.
    Link,
    /// renameat.
    Rename,
    /// renameat2 with `RENAME_NOREPLACE`.
    RenameNew,
    /// renameat2 with `RENAME_EXCHANGE`.
    Exchange,
    /// readlink.
    ReadLink,
    /// flock.
    Lock,
    /// fstatfs.
    StatFileSystem,
    /// fcntl with `F_SETSIG`.
    RedirectSignal,
    /// fcntl with `F_SETLEASE`, taking.
    TakeLease,
    /// fcntl with `F_GETLEASE`.
    AskLease,
    /// fcntl with `F_SETLEASE`, giving back.
    ReleaseLease,
    /// capget.
    Capabilities,
}

/// Sees each system call before it is made, and may fail it instead.
///
/// It is how a test fails the n-th call, stops the world there, or lets another party
/// act at that moment. It may be called from several threads at once.
pub trait Watch: Send + Sync {
    /// `Err` takes the place of the call.
    ///
    /// # Errors
    /// Whatever the watcher wants the call to fail with.
    fn before(&self, call: Call) -> Result<(), Errno>;
}

/// The kernel, as the mutation half of the backend sees it. Clones are cheap.
#[derive(Clone, Default)]
pub(crate) struct Kernel {
    watch: Option<Arc<dyn Watch>>,
}

impl Kernel {
    /// A kernel whose calls are watched.
    pub(crate) fn watched(watch: Arc<dyn Watch>) -> Self {
        Self { watch: Some(watch) }
    }

    fn call<T>(&self, call: Call, mut make: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
        loop {
            let made = match &self.watch {
                Some(watch) => watch.before(call).and_then(|()| make()),
                None => make(),
            };
            match made {
                Err(Errno::INTR) => {}
                other => return other,
            }
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("watched", &self.watch.is_some())
            .finish()
    }
}

/// Which file it is, whatever its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

/// What fstat tells of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    /// Which file.
    pub(crate) id: FileId,
    /// Type and permission bits.
    pub(crate) mode: u32,
    /// How many names it has.
    pub(crate) links: u64,
    /// Owner.
    pub(crate) uid: u32,
    /// Group.
    pub(crate) gid: u32,
    /// Bytes.
    pub(crate) size: u64,
    /// Seconds and nanoseconds of the last change of content.
    pub(crate) modified: (i64, i64),
    /// Seconds and nanoseconds of the last change of content or metadata.
    pub(crate) changed: (i64, i64),
}

impl Stat {
    /// Whether it is a regular file.
    pub(crate) fn is_regular(&self) -> bool {
        self.file_type() == rustix::fs::FileType::RegularFile
    }

    /// Whether it is a directory.
    pub(crate) fn is_directory(&self) -> bool {
        self.file_type() == rustix::fs::FileType::Directory
    }

    /// Whether it is a symbolic link.
    pub(crate) fn is_link(&self) -> bool {
        self.file_type() == rustix::fs::FileType::Symlink
    }

    /// Whether, in this directory, everybody may remove only what is his own.
    pub(crate) fn is_sticky(&self) -> bool {
        self.mode & 0o1000 != 0
    }

    /// The permission bits, set-id and sticky included.
    pub(crate) fn permissions(&self) -> u32 {
        self.mode & 0o7777
    }

    fn file_type(&self) -> rustix::fs::FileType {
        rustix::fs::FileType::from_raw_mode(self.mode)
    }
}
