//! Missing parent directories: made under a staging name in the deepest directory that
//! exists, filled, and moved into place as a whole. So they appear with the file in them,
//! and a crash leaves only what a later process knows to be ours.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;

use super::failure::Failure;
use super::marks;
use super::stage::is_unsupported;
use crate::local::fence::Folder;
use crate::local::sys::{FOLDER, FileId, Kernel, STEP};

/// What a directory is created with: the kernel takes away umask and default ACL.
const NEW_DIRECTORY: u32 = 0o777;

/// The directories that a write made. Dropped without having been published, it removes
/// exactly these and the file in them.
#[derive(Debug)]
pub(crate) struct MadeParents<'k> {
    kernel: &'k Kernel,
    /// Outermost first. The first has its staging name.
    made: Vec<Made>,
    /// Which directory the first is.
    first: Option<FileId>,
    /// The innermost of them.
    folder: Option<Folder>,
    /// The name that the first is to have.
    name: CString,
    /// The file in the innermost.
    file: Option<CString>,
}

#[derive(Debug)]
struct Made {
    parent: OwnedFd,
    name: CString,
}

impl<'k> MadeParents<'k> {
    /// Makes what is missing of a place beside where it belongs, for a file of this version.
    ///
    /// # Panics
    /// Nothing is missing.
    pub(crate) fn make(
        kernel: &'k Kernel,
        folder: &Folder,
        missing: &[CString],
        version: &str,
    ) -> Result<Self, Failure> {
        let (first, rest) = missing.split_first().expect("something is missing");
        let mut parents = Self {
            kernel,
            made: Vec::new(),
            first: None,
            folder: None,
            name: first.clone(),
            file: None,
        };
        let mut here = kernel.open_at(folder, c".", STEP)?;
        here = parents.step(here, &marks::making(version))?;
        parents.first = Some(kernel.stat(&here)?.id);
        for name in rest {
            here = parents.step(here, name)?;
        }
        parents.folder = Some(Folder::reopen(kernel, here)?);
        Ok(parents)
    }

    /// The innermost directory.
    pub(crate) fn folder(&self) -> &Folder {
        self.folder.as_ref().expect("set by `make`")
    }

    /// The file is in the innermost directory, under this name.
    pub(crate) fn hold(&mut self, file: &CStr) {
        self.file = Some(file.to_owned());
    }

    /// Waits until the directories and what is in them are on the disk.
    pub(crate) fn sync(&self) -> Result<(), Errno> {
        if !self.folder().readable {
            return Err(Errno::ACCESS);
        }
        self.kernel.sync(self.folder())?;
        for made in self.made.iter().skip(1).rev() {
            let parent = self.kernel.open_at(&made.parent, c".", FOLDER)?;
            self.kernel.sync(&parent)?;
        }
        Ok(())
    }

    /// Moves them into place. `Again`: something has the name by now, which is never
    /// replaced, and may be the parent that was missing; or somebody put something else in
    /// the place of the first, and what is there is not what was made.
    pub(crate) fn publish(mut self) -> Result<(), Failure> {
        let Made { parent, name } = &self.made[0];
        if !self.is_first(parent, name)? {
            return Err(Failure::Again);
        }
        let moved = match self.kernel.rename_new(parent, name, &self.name) {
            Err(errno) if is_unsupported(errno) => self.move_over(parent, name),
            moved => moved,
        };
        match moved {
            Ok(()) if self.is_first(parent, &self.name) == Ok(false) => Err(Failure::Again),
            Ok(()) => {
                self.made.clear();
                self.file = None;
                Ok(())
            }
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR | Errno::NOENT) => {
                Err(Failure::Again)
            }
            Err(errno) => Err(errno.into()),
        }
    }

    fn is_first(&self, parent: &OwnedFd, name: &CStr) -> Result<bool, Errno> {
        match self.kernel.stat_at(parent, name) {
            Ok(stat) => Ok(Some(stat.id) == self.first),
            Err(Errno::NOENT) => Ok(false),
            Err(errno) => Err(errno),
        }
    }

    /// Where a rename may replace. Over a directory that is not empty, a file or a link,
    /// the kernel moves no directory: at most an empty directory gives way.
    fn move_over(&self, parent: impl AsFd, name: &CStr) -> Result<(), Errno> {
        let parent = parent.as_fd();
        match self.kernel.stat_at(parent, &self.name) {
            Err(Errno::NOENT) => self.kernel.rename(parent, name, &self.name),
            Ok(_) => Err(Errno::EXIST),
            Err(errno) => Err(errno),
        }
    }

    /// Makes one directory and goes into it.
    fn step(&mut self, here: OwnedFd, name: &CStr) -> Result<OwnedFd, Failure> {
        match self.kernel.make_directory(&here, name, NEW_DIRECTORY) {
            // Somebody has found the directory that is being made, and has put it there.
            Err(Errno::EXIST) => return Err(Failure::Again),
            made => made?,
        }
        let next = self.kernel.open_at(&here, name, STEP);
        self.made.push(Made {
            parent: here,
            name: name.to_owned(),
        });
        match next {
            Ok(next) => Ok(next),
            // Somebody took it away, or put something else in its place.
            Err(Errno::NOTDIR | Errno::LOOP | Errno::NOENT) => Err(Failure::Again),
            Err(errno) => Err(errno.into()),
        }
    }
}

impl Drop for MadeParents<'_> {
    fn drop(&mut self) {
        if let (Some(folder), Some(file)) = (&self.folder, &self.file) {
            let _ = self.kernel.remove_file(folder, file);
        }
        for made in self.made.drain(..).rev() {
            // Not empty: somebody else has put something there.
            let _ = self.kernel.remove_directory(&made.parent, &made.name);
        }
    }
}
