//! Exchanging two names, and putting back whatever should not have come out.

use std::ffi::CStr;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;

use super::failure::Failure;
use crate::local::fence::Folder;
use crate::local::sys::{FileId, Kernel, Stat};

/// How often names are exchanged to find the newest. Each round needs another rename by
/// somebody else within a few microseconds.
const ROUNDS: u32 = 64;

/// After so many rounds the other party is in step with us: it moves away whatever we put
/// in, each time. Pauses of growing length, up to 640 microseconds, get us out of step.
const IN_STEP: u32 = 4;
const PAUSE: Duration = Duration::from_micros(10);

/// Two names of one folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'n> {
    pub(crate) kernel: &'n Kernel,
    pub(crate) folder: &'n Folder,
    /// Of the complete new file.
    pub(crate) staged: &'n CStr,
    /// Of the file to be replaced.
    pub(crate) target: &'n CStr,
}

/// What an exchange did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exchanged {
    /// The expected file came out, and has the staging name.
    Expected,
    /// Something else came out and was put back.
    PutBack(Rest),
    /// The file system cannot exchange names; nothing was done.
    Unsupported,
}

/// What has the staging name after something was put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing that anybody could miss.
    Ours,
    /// Perhaps the only copy of somebody's change.
    Theirs,
}

impl Names<'_> {
    /// Puts `new` in the place of `expected`.
    ///
    /// An error means that nothing changed, or that the staging name must be left alone
    /// (`Err` with `Rest::Theirs`).
    pub(crate) fn exchange(
        &self,
        new: &Stat,
        expected: FileId,
    ) -> Result<Exchanged, (Failure, Rest)> {
        match self.kernel.exchange(self.folder, self.staged, self.target) {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                return Ok(Exchanged::Unsupported);
            }
            // The target was removed.
            Err(Errno::NOENT) => return Err((Failure::Again, Rest::Ours)),
            Err(Errno::BUSY) => return Err((Failure::MountedOn, Rest::Ours)),
            Err(errno) => return Err((errno.into(), Rest::Ours)),
        }
        match self.kernel.stat_at(self.folder, self.staged) {
            Ok(out) if out.id == expected => Ok(Exchanged::Expected),
            Ok(out) => self.put_back(new, out.id).map(Exchanged::PutBack),
            Err(errno) => Err(self.undo_blindly(errno)),
        }
    }

    /// Puts back what came out, until what comes out is what was last put in: then the
    /// newest of all the files that others renamed here meanwhile has the name.
    pub(crate) fn put_back(&self, new: &Stat, out: FileId) -> Result<Rest, (Failure, Rest)> {
        let theirs = |errno: Errno| (Failure::from(errno), Rest::Theirs);
        let (mut inside, mut outside) = (new.id, out);
        for round in 0..ROUNDS {
            if round >= IN_STEP {
                thread::sleep(PAUSE * round);
            }
            match self.kernel.exchange(self.folder, self.staged, self.target) {
                Ok(()) => {}
                // Somebody removed the name after all of this: then nothing has it.
                Err(Errno::NOENT) => return Ok(Rest::Ours),
                Err(errno) => return Err(theirs(errno)),
            }
            let came = self
                .kernel
                .stat_at(self.folder, self.staged)
                .map_err(theirs)?;
            if came.id == inside {
                return self.settle(new, &came);
            }
            (inside, outside) = (outside, came.id);
        }
        Ok(Rest::Theirs)
    }

    /// Ours came out again. If somebody wrote to it while it had the name, that is the
    /// newest, and goes back; what it displaced is kept.
    fn settle(&self, new: &Stat, came: &Stat) -> Result<Rest, (Failure, Rest)> {
        let touched = came.id == new.id && (came.modified != new.modified || came.size != new.size);
        if !touched {
            return Ok(Rest::Ours);
        }
        match self.kernel.exchange(self.folder, self.staged, self.target) {
            Ok(()) => Ok(Rest::Theirs),
            Err(errno) => Err((errno.into(), Rest::Theirs)),
        }
    }

    /// What came out cannot be examined: back with it.
    fn undo_blindly(&self, errno: Errno) -> (Failure, Rest) {
        match self.kernel.exchange(self.folder, self.staged, self.target) {
            Ok(()) => (errno.into(), Rest::Ours),
            Err(_) => (errno.into(), Rest::Theirs),
        }
    }
}
