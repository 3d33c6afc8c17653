//! Opening for reading: regular files only, and never in a way that can hang.

use std::os::fd::OwnedFd;
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open, openat2};
use rustix::io::Errno;

use super::key;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::types::Target;
use crate::wording::{self, Verb};

/// How long to wait before an open that a lease delays is tried again.
const PAUSE: Duration = Duration::from_millis(1);

/// How often: a lease that its owner keeps is broken by the kernel after 45 seconds.
const TRIES: u32 = 60_000;

/// A regular file, open for reading.
pub(super) struct Opened {
    /// What content is read from.
    pub(super) file: OwnedFd,
    /// Its size in bytes when it was opened.
    pub(super) size: u64,
}

/// Opens a regular file for reading.
///
/// What was opened is looked at through the descriptor, after the open: a FIFO put in the
/// place of the file is refused like one that was always there.
pub(super) fn open_regular(target: &Target, cancel: &Cancel) -> Result<Opened, Error> {
    let path = key::path_of(Verb::Read, target)?;
    let file = open_patiently(&path, OFlags::empty(), Verb::Read, cancel)?.map_err(|errno| {
        match errno {
            // A socket, or a device that nothing serves.
            Errno::NXIO | Errno::NODEV => wording::not_regular(Verb::Read, &target.display),
            Errno::LOOP => wording::leads_elsewhere(Verb::Read, &target.display),
            errno => wording::from_errno(Verb::Read, &target.display, errno),
        }
    })?;
    let stat =
        fstat(&file).map_err(|errno| wording::from_errno(Verb::Read, &target.display, errno))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(wording::not_regular(Verb::Read, &target.display));
    }
    let size = u64::try_from(stat.st_size).expect("a size is not negative");
    Ok(Opened { file, size })
}

/// Opens without blocking: neither a FIFO nor a terminal can hang the call, and a file
/// under somebody's lease is asked for until the lease is given up. The outer error is
/// the cancellation.
pub(super) fn open_patiently(
    path: &[u8],
    more: OFlags,
    verb: Verb,
    cancel: &Cancel,
) -> Result<Result<OwnedFd, Errno>, Error> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | more;
    for _ in 0..TRIES {
        cancel.check(verb)?;
        match open_as_it_is(path, flags) {
            Err(Errno::AGAIN) => sleep(PAUSE),
            Err(Errno::INTR) => {}
            opened => return Ok(opened),
        }
    }
    Ok(Err(Errno::AGAIN))
}

/// Opens a canonical path without following a link that has come onto it since: what is
/// opened is what was judged. In /proc a key may end in a link that only the kernel can
/// follow, and that is left to it.
fn open_as_it_is(path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    if path.starts_with(b"/proc/") {
        return open(path, flags, Mode::empty());
    }
    openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)
}
