//! What a crash left in a folder: removed where it is provably ours, put back where an
//! outside change was displaced, left alone otherwise.
//!
//! Every publisher holds a shared lock of the folder while it has staging files in it, so
//! whoever gets the exclusive lock knows that every staging name is a leftover.

use std::collections::HashSet;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::fs::FlockOperation;

use super::exchange::{Exchanged, Names};
use super::failure::Failure;
use super::marks::{self, Leftover, Marks, PREFIX};
use super::old::Old;
use crate::cancel::Cancel;
use crate::local::fence::Folder;
use crate::local::sys::{FileId, Kernel, Stat};
use crate::version::VersionSecret;

/// How many folders are remembered as looked at, before they are looked at again.
const REMEMBERED: usize = 4096;

/// How long somebody else's exclusive lock is waited for. It is a recovery, which is short,
/// or a foreign program, which cannot keep us from writing.
const LOCKED: u32 = 50;
const GLANCE: Duration = Duration::from_millis(5);

/// The folders that were looked at by this process.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    seen: Mutex<HashSet<FileId>>,
}

/// What recovery works with.
#[derive(Clone, Copy)]
pub(crate) struct Tools<'t> {
    pub(crate) kernel: &'t Kernel,
    pub(crate) secret: &'t VersionSecret,
}

impl Recovery {
    /// Recovers a folder the first time this process comes to it, and locks it for
    /// staging. The lock goes with the descriptor of the folder.
    pub(crate) fn enter(
        &self,
        tools: Tools<'_>,
        folder: &Folder,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        if !folder.readable {
            return Ok(());
        }
        let stat = tools.kernel.stat(folder)?;
        if !self.is_known(stat.id)
            && tools.try_lock(folder, FlockOperation::NonBlockingLockExclusive)
        {
            tools.recover(folder, &stat, cancel);
            self.remember(stat.id);
        }
        tools.lock_shared(folder, cancel)
    }

    fn is_known(&self, id: FileId) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.contains(&id)
    }

    fn remember(&self, id: FileId) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= REMEMBERED {
            seen.clear();
        }
        seen.insert(id);
    }
}

impl Tools<'_> {
    fn try_lock(&self, folder: &Folder, operation: FlockOperation) -> bool {
        self.kernel.lock(folder, operation).is_ok()
    }

    fn lock_shared(&self, folder: &Folder, cancel: &Cancel) -> Result<(), Failure> {
        for _ in 0..LOCKED {
            match self
                .kernel
                .lock(folder, FlockOperation::NonBlockingLockShared)
            {
                Err(rustix::io::Errno::AGAIN) if cancel.is_cancelled() => {
                    return Err(Failure::AbortedEarly);
                }
                Err(rustix::io::Errno::AGAIN) => thread::sleep(GLANCE),
                // A file system without locks has no recovery either.
                Ok(()) | Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// The folder is locked for this. A leftover that cannot be dealt with stays: it
    /// never fails the write that found it.
    fn recover(self, folder: &Folder, stat: &Stat, cancel: &Cancel) {
        let Ok(names) = self.kernel.list(folder, |name| name.starts_with(PREFIX)) else {
            return;
        };
        for name in names {
            let Some(leftover) = marks::read(name.to_bytes()) else {
                continue;
            };
            let done = match self.is_ours_to_judge(folder, stat, &name) {
                false => continue,
                true => self.settle(folder, &name, leftover, cancel),
            };
            if let Err(failure) = done {
                let name = name.to_string_lossy();
                tracing::warn!(%name, ?failure, "a leftover could not be recovered");
            }
        }
    }

    /// In a sticky folder, such as `/tmp`, only what belongs to this user: anybody may
    /// put there what looks like a leftover, of any size.
    fn is_ours_to_judge(self, folder: &Folder, stat: &Stat, name: &CStr) -> bool {
        if !stat.is_sticky() {
            return true;
        }
        let own = rustix::process::geteuid().as_raw();
        self.kernel
            .stat_at(folder, name)
            .is_ok_and(|stat| stat.uid == own)
    }

    /// Of a directory, its own file tells. A file that is in the making, complete and never
    /// exchanged, or displaced as intended, is ours. Any other is somebody's change that was
    /// displaced between the last look and the exchange.
    fn settle(
        self,
        folder: &Folder,
        name: &CStr,
        leftover: Leftover,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let marks = match leftover {
            Leftover::Partial => return self.remove(folder, name),
            Leftover::Making(version) => return self.clear(folder, name, &version, cancel),
            Leftover::Removed(version) => return self.finish(folder, name, &version, cancel),
            Leftover::Exchanged(marks) => marks,
        };
        let Some((version, left)) = self.look(folder, name, cancel)? else {
            return Ok(());
        };
        if version == marks.intended || version == marks.guarded {
            return self.remove(folder, name);
        }
        let target = self.target(folder, &marks)?.ok_or(Failure::NotFound)?;
        let there = self.look(folder, &target, cancel)?;
        let (published, there) = there.ok_or(Failure::NotFound)?;
        // In a shared folder, nobody may have a file of his put over another's.
        if published != marks.intended || there.uid != left.uid {
            return Err(Failure::Stale);
        }
        self.put_back(folder, name, &target, &left, &there)
    }

    fn remove(self, folder: &Folder, name: &CStr) -> Result<(), Failure> {
        Ok(self.kernel.remove_file(folder, name)?)
    }

    fn put_back(
        self,
        folder: &Folder,
        staged: &CStr,
        target: &CStr,
        left: &Stat,
        there: &Stat,
    ) -> Result<(), Failure> {
        let names = Names {
            kernel: self.kernel,
            folder,
            staged,
            target,
            // What somebody moved meanwhile is left beside, for the next time.
            find: &|_| None,
        };
        match names.exchange(&names.new_file(*left)?, there.id) {
            Ok(Exchanged::Expected) => self.remove(folder, staged),
            Ok(Exchanged::PutBack(_) | Exchanged::Unsupported) => Err(Failure::Again),
            Err((failure, _)) => Err(failure),
        }
    }

    /// The name that the marks mean; the whole folder is searched, which is rare.
    fn target(self, folder: &Folder, marks: &Marks) -> Result<Option<CString>, Failure> {
        let is_meant = |name: &[u8]| self.secret.version_of(name) == marks.target;
        Ok(self.kernel.list(folder, is_meant)?.pop())
    }

    /// The version and the facts of a file. It is closed again at once: what is looked at
    /// next may be the same file under another name.
    pub(super) fn look(
        self,
        folder: &Folder,
        name: &CStr,
        cancel: &Cancel,
    ) -> Result<Option<(String, Stat)>, Failure> {
        let Some(file) = Old::find(self.kernel, folder, name, cancel)? else {
            return Ok(None);
        };
        let version = file.read(self.secret, false, cancel)?.version;
        Ok(Some((version, file.stat)))
    }
}
