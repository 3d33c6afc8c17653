//! Making, moving and removing names.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};

use rustix::fs::{AtFlags, CWD, Mode, RawDir, RenameFlags};
use rustix::io::Errno;

use super::{Call, Kernel};

/// Room for the entries of one getdents64, in bytes.
const ENTRIES: usize = 32 * 1024;

impl Kernel {
    /// Makes a directory with these permissions, less umask and default ACL.
    pub(crate) fn make_directory(
        &self,
        parent: impl AsFd,
        name: &CStr,
        permissions: u32,
    ) -> Result<(), Errno> {
        let mode = Mode::from_raw_mode(permissions);
        self.call(Call::MakeDirectory, || {
            rustix::fs::mkdirat(parent.as_fd(), name, mode)
        })
    }

    /// Removes a name that is no directory.
    pub(crate) fn remove_file(&self, parent: impl AsFd, name: &CStr) -> Result<(), Errno> {
        self.call(Call::RemoveFile, || {
            rustix::fs::unlinkat(parent.as_fd(), name, AtFlags::empty())
        })
    }

    /// Removes an empty directory.
    pub(crate) fn remove_directory(&self, parent: impl AsFd, name: &CStr) -> Result<(), Errno> {
        self.call(Call::RemoveDirectory, || {
            rustix::fs::unlinkat(parent.as_fd(), name, AtFlags::REMOVEDIR)
        })
    }

    /// Gives a file that has no name one; fails if the name is taken.
    pub(crate) fn link_unnamed(
        &self,
        file: impl AsFd,
        directory: impl AsFd,
        name: &CStr,
    ) -> Result<(), Errno> {
        self.call(Call::LinkUnnamed, || {
            link_open_file(file.as_fd(), directory.as_fd(), name)
        })
    }

    /// Gives a file a second name in the same directory; fails if the name is taken.
    pub(crate) fn link(&self, directory: impl AsFd, old: &CStr, new: &CStr) -> Result<(), Errno> {
        let directory = directory.as_fd();
        self.link_into(directory, old, directory, new)
    }

    /// Gives a file a second name in another directory; fails if the name is taken.
    pub(crate) fn link_into(
        &self,
        from: impl AsFd,
        old: &CStr,
        to: impl AsFd,
        new: &CStr,
    ) -> Result<(), Errno> {
        let (from, to) = (from.as_fd(), to.as_fd());
        self.call(Call::Link, || {
            rustix::fs::linkat(from, old, to, new, AtFlags::empty())
        })
    }

    /// Renames within a directory, over whatever has the new name.
    pub(crate) fn rename(&self, directory: impl AsFd, old: &CStr, new: &CStr) -> Result<(), Errno> {
        let directory = directory.as_fd();
        self.move_over(directory, old, directory, new)
    }

    /// Moves to another directory, over whatever has the new name.
    pub(crate) fn move_over(
        &self,
        from: impl AsFd,
        old: &CStr,
        to: impl AsFd,
        new: &CStr,
    ) -> Result<(), Errno> {
        let (from, to) = (from.as_fd(), to.as_fd());
        self.call(Call::Rename, || rustix::fs::renameat(from, old, to, new))
    }

    /// Renames within a directory; fails if the new name is taken.
    pub(crate) fn rename_new(
        &self,
        directory: impl AsFd,
        old: &CStr,
        new: &CStr,
    ) -> Result<(), Errno> {
        let directory = directory.as_fd();
        self.move_new(directory, old, directory, new)
    }

    /// Moves to another directory; fails if the new name is taken.
    pub(crate) fn move_new(
        &self,
        from: impl AsFd,
        old: &CStr,
        to: impl AsFd,
        new: &CStr,
    ) -> Result<(), Errno> {
        let (from, to) = (from.as_fd(), to.as_fd());
        self.call(Call::RenameNew, || {
            rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE)
        })
    }

    /// Exchanges two names, whatever they are.
    pub(crate) fn exchange(
        &self,
        one: impl AsFd,
        a: &CStr,
        other: impl AsFd,
        b: &CStr,
    ) -> Result<(), Errno> {
        self.call(Call::Exchange, || {
            rustix::fs::renameat_with(one.as_fd(), a, other.as_fd(), b, RenameFlags::EXCHANGE)
        })
    }

    /// What a link says, byte for byte.
    pub(crate) fn read_link(&self, path: &str) -> Result<Vec<u8>, Errno> {
        self.call(Call::ReadLink, || rustix::fs::readlink(path, Vec::new()))
            .map(CString::into_bytes)
    }

    /// The names in a directory that are wanted, in no order.
    pub(crate) fn list(
        &self,
        directory: impl AsFd,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<CString>, Errno> {
        self.call(Call::List, || Ok(()))?;
        rustix::fs::seek(directory.as_fd(), rustix::fs::SeekFrom::Start(0))?;
        let mut room = vec![MaybeUninit::uninit(); ENTRIES];
        let mut entries = RawDir::new(directory.as_fd(), &mut room);
        let mut names = Vec::new();
        while let Some(entry) = entries.next() {
            let name = entry?.file_name().to_owned();
            if wanted(name.to_bytes()) {
                names.push(name);
            }
        }
        Ok(names)
    }
}

/// By the descriptor where the kernel lets this process, else by its name in /proc.
fn link_open_file(
    file: rustix::fd::BorrowedFd<'_>,
    directory: rustix::fd::BorrowedFd<'_>,
    name: &CStr,
) -> Result<(), Errno> {
    match rustix::fs::linkat(file, c"", directory, name, AtFlags::EMPTY_PATH) {
        Err(Errno::NOENT | Errno::PERM | Errno::INVAL) => {
            let path = format!("/proc/self/fd/{}", file.as_raw_fd());
            rustix::fs::linkat(CWD, path, directory, name, AtFlags::SYMLINK_FOLLOW)
        }
        other => other,
    }
}
