//! Directories in the making that a crash left: removed where all that is in them is
//! provably ours, else left alone.

use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;

use super::aside::is_a_name;
use super::failure::Failure;
use super::marks::{self, Leftover};
use super::recover::Tools;
use crate::cancel::Cancel;
use crate::local::fence::Folder;
use crate::local::sys::STEP;

/// More than can be in the innermost directory: the file, and its staging name.
const TOO_MANY: usize = 3;

/// One directory in another; the innermost has no directory in it.
struct Chain {
    /// Each directory with the one that it is in, outermost first.
    steps: Vec<(OwnedFd, CString)>,
    innermost: Folder,
    files: Vec<CString>,
}

impl Tools<'_> {
    /// Removes a chain of directories that was made for a file of this version. `Stale`:
    /// somebody has put something else there.
    pub(super) fn clear(
        self,
        folder: &Folder,
        name: &CStr,
        version: &str,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let chain = self.walk(folder, name)?;
        for file in &chain.files {
            if !self.is_ours(&chain.innermost, file, version, cancel)? {
                return Err(Failure::Stale);
            }
        }
        for file in &chain.files {
            self.kernel.remove_file(&chain.innermost, file)?;
        }
        for (parent, name) in chain.steps.iter().rev() {
            self.kernel.remove_directory(parent, name)?;
        }
        Ok(())
    }

    fn walk(self, folder: &Folder, name: &CStr) -> Result<Chain, Failure> {
        let mut here = self.kernel.open_at(folder, c".", STEP)?;
        let (mut steps, mut name) = (Vec::new(), name.to_owned());
        loop {
            let next = self.kernel.open_at(&here, &name, STEP)?;
            let innermost = Folder::reopen(self.kernel, self.kernel.open_at(&next, c".", STEP)?)?;
            steps.push((here, name));
            let mut names = self.kernel.list(&innermost, is_a_name)?;
            let is_step =
                names.len() == 1 && self.kernel.stat_at(&innermost, &names[0])?.is_directory();
            match is_step {
                true => (here, name) = (next, names.remove(0)),
                false if names.len() >= TOO_MANY => return Err(Failure::Stale),
                false => {
                    return Ok(Chain {
                        steps,
                        innermost,
                        files: names,
                    });
                }
            }
        }
    }

    /// A file in the making, or the complete one.
    fn is_ours(
        self,
        folder: &Folder,
        file: &CStr,
        version: &str,
        cancel: &Cancel,
    ) -> Result<bool, Failure> {
        if marks::read(file.to_bytes()) == Some(Leftover::Partial) {
            return Ok(true);
        }
        match self.look(folder, file, cancel) {
            Ok(found) => Ok(found.is_none_or(|(now, _)| now == version)),
            Err(Failure::NotRegular) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}
