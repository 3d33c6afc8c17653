//! Exchanging two names, and putting back whatever should not have come out.
//!
//! What is put in stands for what came out. Putting back is exchanging the two, wherever
//! what stands for it is by then: somebody may have moved it, or exchanged it with another
//! name. Where it was replaced by a rename, what it stands for was replaced with it, and
//! nobody misses that. Somebody who is faster makes something else come out, for which the
//! one before stands now; that one is put back first.

use std::ffi::CStr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::failure::Failure;
use crate::local::fence::{Folder, Place};
use crate::local::sys::{FileId, Kernel, Stat};

/// How often names are exchanged to put everything back. Each round needs another rename by
/// somebody else within a few microseconds.
const ROUNDS: u32 = 64;

/// After so many rounds the other party is in step with us: it moves away whatever we put
/// in, each time. Pauses of growing length, up to 640 microseconds, get us out of step.
const IN_STEP: u32 = 4;
const PAUSE: Duration = Duration::from_micros(10);

/// A file by its identity, whatever its name. Nobody is kept waiting by it.
const HANDLE: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Two names of one folder.
#[derive(Clone, Copy)]
pub(crate) struct Names<'n> {
    pub(crate) kernel: &'n Kernel,
    pub(crate) folder: &'n Folder,
    /// Of the complete new file.
    pub(crate) staged: &'n CStr,
    /// Of the file to be replaced.
    pub(crate) target: &'n CStr,
    /// The place of a canonical path, if files may be exchanged there.
    pub(crate) find: &'n dyn Fn(&[u8]) -> Option<Place>,
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

/// The new file: its facts when it was complete, and the file itself.
#[derive(Debug)]
pub(crate) struct New {
    pub(crate) stat: Stat,
    handle: OwnedFd,
}

/// Where something is.
enum Spot {
    Target,
    Elsewhere(Place),
}

/// What came of one round of putting back.
enum Round {
    /// What stood for it was replaced: what has the staging name was, too.
    Replaced,
    /// What stands for it is where nothing may be exchanged.
    OutOfReach,
    /// It was moved in this moment.
    MovedOn,
    /// It came out of here, and has the staging name.
    Came(Stat, Spot),
    /// Something else came out, for which this stands now.
    Another(OwnedFd),
}

impl Names<'_> {
    /// The new file, while it has the staging name.
    pub(crate) fn new_file(&self, stat: Stat) -> Result<New, Errno> {
        let handle = self.kernel.open_at(self.folder, self.staged, HANDLE)?;
        Ok(New { stat, handle })
    }

    /// Puts `new` in the place of `expected`.
    ///
    /// An error means that nothing changed, or that the staging name must be left alone
    /// (`Err` with `Rest::Theirs`).
    pub(crate) fn exchange(
        &self,
        new: &New,
        expected: FileId,
    ) -> Result<Exchanged, (Failure, Rest)> {
        match self.swap(&Spot::Target) {
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
            Ok(_) => self.put_back(new).map(Exchanged::PutBack),
            Err(errno) => Err(self.undo_blindly(errno)),
        }
    }

    /// Puts back what came out, and whatever comes out meanwhile, until ours does.
    pub(crate) fn put_back(&self, new: &New) -> Result<Rest, (Failure, Rest)> {
        let theirs = |errno: Errno| (Failure::from(errno), Rest::Theirs);
        let mut standing: Vec<OwnedFd> = Vec::new();
        for round in 0..ROUNDS {
            if round >= IN_STEP {
                thread::sleep(PAUSE * round);
            }
            let last = standing.last().unwrap_or(&new.handle);
            match self.round(last).map_err(theirs)? {
                Round::Replaced => return Ok(Rest::Ours),
                Round::OutOfReach => return Ok(Rest::Theirs),
                Round::MovedOn => {}
                Round::Came(came, spot) if standing.is_empty() => {
                    return self.settle(&new.stat, &came, &spot);
                }
                Round::Came(..) => drop(standing.pop()),
                Round::Another(displaced) => standing.push(displaced),
            }
        }
        Ok(Rest::Theirs)
    }

    /// Exchanges what has the staging name with what stands for it.
    fn round(&self, standing: &OwnedFd) -> Result<Round, Errno> {
        let stands = self.kernel.stat(standing)?;
        if stands.links == 0 {
            return Ok(Round::Replaced);
        }
        let Some(spot) = self.spot(standing, stands.id) else {
            return Ok(Round::OutOfReach);
        };
        let held = self.kernel.open_at(self.folder, self.staged, HANDLE)?;
        match self.swap(&spot) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(Round::MovedOn),
            Err(errno) => return Err(errno),
        }
        let came = self.kernel.stat_at(self.folder, self.staged)?;
        Ok(match came.id == stands.id {
            true => Round::Came(came, spot),
            false => Round::Another(held),
        })
    }

    /// Where a file is: at the target as a rule, else where the kernel says.
    fn spot(&self, file: &OwnedFd, id: FileId) -> Option<Spot> {
        let there = self.kernel.stat_at(self.folder, self.target);
        if there.is_ok_and(|there| there.id == id) {
            return Some(Spot::Target);
        }
        let link = format!("/proc/self/fd/{}", file.as_raw_fd());
        let path = self.kernel.read_link(&link).ok()?;
        (self.find)(&path).map(Spot::Elsewhere)
    }

    fn swap(&self, spot: &Spot) -> Result<(), Errno> {
        let (folder, name) = match spot {
            Spot::Target => (self.folder, self.target),
            Spot::Elsewhere(place) => (&place.folder, place.name.as_c_str()),
        };
        self.kernel.exchange(self.folder, self.staged, folder, name)
    }

    /// Ours came out again. If somebody wrote to it while it had a name, that is the
    /// newest, and goes back; what it displaced is kept.
    fn settle(&self, new: &Stat, came: &Stat, spot: &Spot) -> Result<Rest, (Failure, Rest)> {
        let touched = came.modified != new.modified || came.size != new.size;
        if !touched {
            return Ok(Rest::Ours);
        }
        match self.swap(spot) {
            Ok(()) => Ok(Rest::Theirs),
            Err(errno) => Err((errno.into(), Rest::Theirs)),
        }
    }

    /// What came out cannot be examined: back with it.
    fn undo_blindly(&self, errno: Errno) -> (Failure, Rest) {
        match self.swap(&Spot::Target) {
            Ok(()) => (errno.into(), Rest::Ours),
            Err(_) => (errno.into(), Rest::Theirs),
        }
    }
}
