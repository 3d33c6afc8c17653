//! The file that is to be replaced: opened once, and asked again right before.

use std::ffi::CStr;
use std::os::fd::OwnedFd;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::failure::Failure;
use crate::cancel::Cancel;
use crate::local::fence::Folder;
use crate::local::queue::{Queue, Turn};
use crate::local::sys::{Chunk, FILE, FileId, Kernel, Stat};
use crate::version::{PiecedVersion, VersionSecret};

/// One mutation of an inode at a time, across all backends of this process: the open
/// descriptor of one would refuse the lease of the other.
static INODES: LazyLock<Queue<FileId>> = LazyLock::new(Queue::new);

/// How long another program's lease is waited for.
const HELD_BACK: Duration = Duration::from_secs(5);

/// How long between two looks.
const GLANCE: Duration = Duration::from_millis(2);

/// A file is taken as settled when it last changed longer ago than the clock of any local
/// file system ticks (10 ms at most), and longer than two seconds where its times have no
/// fraction.
const TICK: Duration = Duration::from_millis(20);
const COARSE_TICK: Duration = Duration::from_secs(2);

/// The file that has the target's name.
#[derive(Debug)]
pub(crate) struct Old<'p> {
    kernel: &'p Kernel,
    pub(crate) file: OwnedFd,
    pub(crate) stat: Stat,
    _turn: Turn<'static, FileId>,
}

/// What its content was.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The version of the bytes.
    pub(crate) version: String,
    /// The bytes, where they were asked for.
    pub(crate) bytes: Option<Vec<u8>>,
    stat: Stat,
    settled: bool,
}

/// How the file compares with what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// As it was, with these facts.
    None(Stat),
    /// The same bytes; something else changed to this.
    Metadata(Stat),
    /// Other bytes.
    Content,
}

impl<'p> Old<'p> {
    /// Opens the file of that name; `None` where there is nothing. Neither a link is
    /// followed nor anything but a regular file opened.
    pub(crate) fn find(
        kernel: &'p Kernel,
        folder: &Folder,
        name: &CStr,
        cancel: &Cancel,
    ) -> Result<Option<Self>, Failure> {
        let named = match kernel.stat_at(folder, name) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        if !named.is_regular() {
            return Err(Failure::NotRegular);
        }
        let turn = INODES
            .enter(named.id, cancel)
            .map_err(|_| Failure::AbortedEarly)?;
        let file = open(kernel, folder, name, FILE, cancel)?;
        let stat = kernel.stat(&file)?;
        if stat.id != named.id {
            return Err(Failure::Again);
        }
        Ok(Some(Self {
            kernel,
            file,
            stat,
            _turn: turn,
        }))
    }

    /// The same file, open for writing too and no longer for reading alone: a second
    /// descriptor would be in the way of a lease.
    pub(crate) fn for_writing(
        mut self,
        folder: &Folder,
        name: &CStr,
        cancel: &Cancel,
    ) -> Result<Self, Failure> {
        let flags = FILE.union(OFlags::RDWR);
        self.file = open(self.kernel, folder, name, flags, cancel)?;
        let stat = self.kernel.stat(&self.file)?;
        if stat.id != self.stat.id {
            return Err(Failure::Again);
        }
        self.stat = stat;
        Ok(self)
    }

    /// Reads the content for its version, and keeps it if asked.
    ///
    /// Cancellation is seen from the second piece on: what a small file has to say
    /// (stale) is worth more than the cancellation.
    pub(crate) fn read(
        &self,
        secret: &VersionSecret,
        keep: bool,
        cancel: &Cancel,
    ) -> Result<Seen, Failure> {
        let stat = self.stat;
        let settled = is_settled(stat.changed, stat.modified, now());
        let (version, bytes) = match keep {
            true => {
                let bytes = self.bytes(stat.size, cancel)?;
                (secret.version_of(&bytes), Some(bytes))
            }
            false => (self.version(secret, stat.size, cancel)?, None),
        };
        Ok(Seen {
            version,
            bytes,
            stat,
            settled,
        })
    }

    /// Compares the file with what was seen. Equal times prove equal content only when
    /// they were not fresh at the time; else the bytes are read again.
    pub(crate) fn change(
        &self,
        seen: &Seen,
        secret: &VersionSecret,
        cancel: &Cancel,
    ) -> Result<Change, Failure> {
        let now = self.kernel.stat(&self.file)?;
        if now == seen.stat && seen.settled {
            return Ok(Change::None(now));
        }
        if self.version(secret, now.size, cancel)? != seen.version {
            return Ok(Change::Content);
        }
        match now == seen.stat {
            true => Ok(Change::None(now)),
            false => Ok(Change::Metadata(now)),
        }
    }

    /// Whether nothing at all happened to the file since these facts: neither was it
    /// written to nor was another renamed over it.
    pub(crate) fn is_still(&self, facts: &Stat) -> Result<bool, Failure> {
        Ok(self.kernel.stat(&self.file)? == *facts)
    }

    /// Whether the bytes are still those that were seen, although its name was changed
    /// (which the time of the last change of metadata shows).
    pub(crate) fn keeps_content(
        &self,
        seen: &Seen,
        secret: &VersionSecret,
    ) -> Result<bool, Failure> {
        let now = self.kernel.stat(&self.file)?;
        let same = now.modified == seen.stat.modified && now.size == seen.stat.size;
        if same && seen.settled {
            return Ok(true);
        }
        Ok(self.version(secret, now.size, &Cancel::new())? == seen.version)
    }

    /// Refuses what an in-place write by this user would be refused, and a file that has
    /// other names, which a replacement would not reach.
    pub(crate) fn permit(&self, folder: &Folder, name: &CStr) -> Result<(), Failure> {
        if self.stat.links > 1 {
            return Err(Failure::HardLinked(self.stat.links));
        }
        self.permit_writing(folder, name)
    }

    /// Refuses what an in-place write by this user would be refused.
    pub(crate) fn permit_writing(&self, folder: &Folder, name: &CStr) -> Result<(), Failure> {
        match self.kernel.may_write(&self.file) {
            Err(Errno::NOSYS | Errno::INVAL) => self.permit_by_opening(folder, name),
            other => Ok(other?),
        }
    }

    fn permit_by_opening(&self, folder: &Folder, name: &CStr) -> Result<(), Failure> {
        let flags = FILE.union(OFlags::WRONLY);
        self.kernel.open_at(folder, name, flags)?;
        Ok(())
    }

    fn bytes(&self, size: u64, cancel: &Cancel) -> Result<Vec<u8>, Failure> {
        // One byte more, so that the end is seen without growing the buffer.
        let size = usize::try_from(size).map_err(|_| Failure::Os(Errno::NOMEM))?;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(size.saturating_add(1))
            .map_err(|_| Failure::Os(Errno::NOMEM))?;
        bytes.resize(size.saturating_add(1), 0);
        let mut length = 0;
        loop {
            if length == bytes.len() {
                bytes.resize(length + length / 8 + 1, 0);
            }
            let room = bytes.len() - length;
            let read = self
                .kernel
                .read_into(&self.file, &mut bytes[length..], length as u64)?;
            length += read;
            if is_the_end(read, room, length == size) {
                break;
            }
            self.go_on(cancel, length < size)?;
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    fn version(
        &self,
        secret: &VersionSecret,
        size: u64,
        cancel: &Cancel,
    ) -> Result<String, Failure> {
        let mut version = PiecedVersion::new(secret);
        let mut chunk = Chunk::for_size(size);
        let (room, mut offset) = (chunk.room(), 0);
        loop {
            let piece = self.kernel.read(&self.file, &mut chunk, offset)?;
            offset += piece.len() as u64;
            let ended = is_the_end(piece.len(), room, offset == size);
            version.update(piece, ended);
            if ended {
                return Ok(version.finish());
            }
            self.go_on(cancel, offset < size)?;
        }
    }

    fn go_on(&self, cancel: &Cancel, more: bool) -> Result<(), Failure> {
        match more && cancel.is_cancelled() {
            true => Err(Failure::AbortedEarly),
            false => Ok(()),
        }
    }
}

/// Whether a read came to the end of the file: nothing came, or less than there was room
/// for, and all that the file said it has.
fn is_the_end(read: usize, room: usize, complete: bool) -> bool {
    read == 0 || (read < room && complete)
}

/// Opens without waiting in the kernel, where a cancellation would not be seen.
fn open(
    kernel: &Kernel,
    folder: &Folder,
    name: &CStr,
    flags: OFlags,
    cancel: &Cancel,
) -> Result<OwnedFd, Failure> {
    let mut waited = Duration::ZERO;
    loop {
        match kernel.open_at(folder, name, flags) {
            Ok(file) => return Ok(file),
            Err(Errno::AGAIN) if waited < HELD_BACK => {
                if cancel.is_cancelled() {
                    return Err(Failure::AbortedEarly);
                }
                thread::sleep(GLANCE);
                waited += GLANCE;
            }
            Err(Errno::AGAIN) => return Err(Failure::HeldBack),
            // It was a regular file a moment ago.
            Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => return Err(Failure::Again),
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Whether a later change would certainly show in the times: they are older than a tick.
fn is_settled(changed: (i64, i64), modified: (i64, i64), now: Duration) -> bool {
    let tick = match (changed.1, modified.1) {
        (0, 0) => COARSE_TICK,
        _ => TICK,
    };
    let last = changed.max(modified);
    let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(last.0), u32::try_from(last.1)) else {
        return false;
    };
    now > Duration::new(seconds, nanoseconds) + tick
}

/// Since 1970; a clock before that settles nothing.
fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::is_settled;

    /// Git's rule for racily clean entries. Fails when fresh times are trusted: where the
    /// clock ticks slowly, a second write of the same size would not be seen.
    #[test]
    fn fresh_times_prove_nothing() {
        let now = Duration::new(100, 500_000_000);
        let cases = [
            ((100, 499_000_000), (50, 1), false),
            ((50, 1), (100, 499_000_000), false),
            ((100, 400_000_000), (50, 1), true),
            ((99, 0), (99, 0), false),
            ((98, 0), (98, 0), true),
            ((200, 1), (1, 1), false),
        ];
        for (changed, modified, settled) in cases {
            assert_eq!(
                is_settled(changed, modified, now),
                settled,
                "{changed:?} {modified:?}"
            );
        }
    }
}
