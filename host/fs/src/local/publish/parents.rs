//! Missing parent directories: made one at a time, and unmade if the write fails.

use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::failure::Failure;
use crate::local::fence::Folder;
use crate::local::sys::{FOLDER, FileId, Kernel, STEP};

/// What a directory is created with: the kernel takes away umask and default ACL.
const NEW_DIRECTORY: u32 = 0o777;

/// The directories that a write made. Dropped without `keep`, it removes exactly these,
/// innermost first, as far as they are empty and still the ones that were made.
#[derive(Debug)]
pub(crate) struct MadeParents<'k> {
    kernel: &'k Kernel,
    made: Vec<Made>,
}

#[derive(Debug)]
struct Made {
    parent: OwnedFd,
    name: CString,
    id: FileId,
}

impl<'k> MadeParents<'k> {
    /// Makes what is missing of a place, and opens the innermost directory.
    pub(crate) fn make(
        kernel: &'k Kernel,
        folder: Folder,
        missing: &[CString],
    ) -> Result<(Folder, Self), Failure> {
        let mut parents = Self {
            kernel,
            made: Vec::new(),
        };
        if missing.is_empty() {
            return Ok((folder, parents));
        }
        let mut here = kernel.open_at(&folder, c".", STEP)?;
        for name in missing {
            here = parents.step(here, name)?;
        }
        let folder = Folder::reopen(kernel, here)?;
        Ok((folder, parents))
    }

    /// The write succeeded: the directories stay.
    pub(crate) fn keep(&mut self) {
        self.made.clear();
    }

    /// Waits until the names of the directories are on the disk.
    pub(crate) fn sync(&self) -> Result<(), Errno> {
        for made in self.made.iter().rev() {
            let parent = self.kernel.open_at(&made.parent, c".", FOLDER)?;
            self.kernel.sync(&parent)?;
        }
        Ok(())
    }

    /// Makes one directory and goes into it. One that another writer made in the
    /// meantime is used, but is not ours to remove.
    fn step(&mut self, here: OwnedFd, name: &CStr) -> Result<OwnedFd, Failure> {
        let ours = match self.kernel.make_directory(&here, name, NEW_DIRECTORY) {
            Ok(()) => true,
            Err(Errno::EXIST) => false,
            Err(errno) => return Err(errno.into()),
        };
        match self.enter(&here, name) {
            Ok((next, id)) => {
                if ours {
                    let name = name.to_owned();
                    self.made.push(Made {
                        parent: here,
                        name,
                        id,
                    });
                }
                Ok(next)
            }
            Err(failure) => {
                if ours {
                    // It is empty, or somebody else's by now and then not empty or not
                    // a directory: removing the name takes nothing from anybody.
                    let _ = self.kernel.remove_directory(&here, name);
                }
                Err(failure)
            }
        }
    }

    fn enter(&self, here: &OwnedFd, name: &CStr) -> Result<(OwnedFd, FileId), Failure> {
        let next = match self.kernel.open_at(here, name, STEP) {
            Ok(next) => next,
            // A link or a file took the name; or another writer's failure removed it.
            Err(Errno::NOTDIR | Errno::LOOP | Errno::NOENT) => return Err(Failure::Again),
            Err(errno) => return Err(errno.into()),
        };
        let id = self.kernel.stat(&next)?.id;
        Ok((next, id))
    }
}

impl Drop for MadeParents<'_> {
    fn drop(&mut self) {
        for made in self.made.drain(..).rev() {
            let same = self
                .kernel
                .stat_at(&made.parent, &made.name)
                .is_ok_and(|stat| stat.id == made.id);
            if same {
                // Not empty: another writer is using it, and it stays for them.
                let _ = self.kernel.remove_directory(&made.parent, &made.name);
            }
        }
    }
}
