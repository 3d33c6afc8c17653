//! Taking a file out of its place, into a private directory beside it, so that it can be
//! looked at before it is removed, and put back.
//!
//! In that directory it keeps its own name, however long: a later process knows from it
//! where the file belongs. The directory goes by `rmdir`, which removes nothing that
//! anybody could miss.

use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::failure::Failure;
use super::marks;
use super::recover::Tools;
use super::stage::is_unsupported;
use crate::cancel::Cancel;
use crate::local::fence::Folder;
use crate::local::sys::{Kernel, STEP, Stat};

/// Nobody else sees what is in it.
const PRIVATE: u32 = 0o700;

/// The directory, and the folder it is in. Dropped, it is removed if it is empty.
#[derive(Debug)]
pub(super) struct Aside<'a> {
    kernel: &'a Kernel,
    folder: &'a Folder,
    name: CString,
    directory: OwnedFd,
}

impl<'a> Aside<'a> {
    /// An empty one, for a file of this version.
    pub(super) fn make(
        kernel: &'a Kernel,
        folder: &'a Folder,
        version: &str,
    ) -> Result<Self, Failure> {
        let name = marks::removed(version);
        kernel.make_directory(folder, &name, PRIVATE)?;
        Self::open(kernel, folder, name.clone()).map_err(|errno| {
            // It is empty, or somebody else's.
            let _ = kernel.remove_directory(folder, &name);
            errno.into()
        })
    }

    fn open(kernel: &'a Kernel, folder: &'a Folder, name: CString) -> Result<Self, Errno> {
        let directory = kernel.open_at(folder, &name, STEP)?;
        Ok(Self {
            kernel,
            folder,
            name,
            directory,
        })
    }

    /// Takes whatever has the name now. `Again`: nothing has it.
    pub(super) fn take(&self, name: &CStr) -> Result<(), Failure> {
        let (from, to) = (self.folder, &self.directory);
        let taken = match self.kernel.move_new(from, name, to, name) {
            Err(errno) if is_unsupported(errno) => {
                self.check_way_back(name)?;
                self.kernel.move_over(from, name, to, name)
            }
            taken => taken,
        };
        taken.map_err(|errno| match errno {
            Errno::NOENT => Failure::Again,
            Errno::BUSY => Failure::MountedOn,
            errno => errno.into(),
        })
    }

    /// Where a rename may replace, putting back is linking: which must be possible.
    fn check_way_back(&self, name: &CStr) -> Result<(), Failure> {
        let (from, to) = (self.folder, &self.directory);
        match self.kernel.link_into(from, name, to, name) {
            Ok(()) => Ok(self.remove(name)?),
            Err(Errno::NOENT) => Err(Failure::Again),
            Err(errno) if is_unsupported(errno) => Err(Failure::NoSafeRemove),
            Err(errno) => Err(errno.into()),
        }
    }

    /// What was taken.
    pub(super) fn stat(&self, name: &CStr) -> Result<Stat, Errno> {
        self.kernel.stat_at(&self.directory, name)
    }

    /// Puts it back, if nothing has the name by now. Else it stays where it is: nobody
    /// can tell which of the two is missed.
    pub(super) fn put_back(&self, name: &CStr) {
        let (from, to) = (&self.directory, self.folder);
        let back = match self.kernel.move_new(from, name, to, name) {
            Err(errno) if is_unsupported(errno) => self
                .kernel
                .link_into(from, name, to, name)
                .and_then(|()| self.kernel.remove_file(from, name)),
            back => back,
        };
        if let Err(errno) = back {
            let aside = self.name.to_string_lossy();
            tracing::warn!(%aside, %errno, "what was taken out could not be put back");
        }
    }

    /// Removes the file for good; a second time, for what passes.
    pub(super) fn remove(&self, name: &CStr) -> Result<(), Errno> {
        let remove = || self.kernel.remove_file(&self.directory, name);
        remove().or_else(|_| remove())
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        match self.kernel.remove_directory(self.folder, &self.name) {
            // Not empty: it holds what could not be put back.
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => {}
            // Once more, for what passes; else the next process in this folder will.
            Err(_) => drop(self.kernel.remove_directory(self.folder, &self.name)),
        }
    }
}

impl Tools<'_> {
    /// Finishes a removal that a crash interrupted: what has the version that was to be
    /// removed goes; anything else is somebody's, and goes back to its place, unless that
    /// is taken.
    pub(super) fn finish(
        self,
        folder: &Folder,
        name: &CStr,
        version: &str,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let aside = Aside::open(self.kernel, folder, name.to_owned())?;
        let inside = Folder::reopen(self.kernel, self.kernel.open_at(folder, name, STEP)?)?;
        for file in self.kernel.list(&inside, is_a_name)? {
            match self.look(&inside, &file, cancel) {
                Ok(None) => {}
                Ok(Some((now, _))) if now == version => aside.remove(&file)?,
                Ok(Some(_)) | Err(_) => aside.put_back(&file),
            }
        }
        Ok(())
    }
}

/// Every entry of a directory but itself and the one above it.
pub(super) fn is_a_name(entry: &[u8]) -> bool {
    !matches!(entry, b"." | b"..")
}
