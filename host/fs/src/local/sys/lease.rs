#![allow(
    unsafe_code,
    reason = "leases have no safe wrapper in rustix, and fcntl is variadic"
)]
//! Leases: while one is held, whoever opens the file to write to it waits.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use rustix::io::Errno;

use super::{Call, Kernel};

/// The command of `asm-generic/fcntl.h`, which the libc crate lacks for Linux.
const F_SETSIG: libc::c_int = 10;

/// What became of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseState {
    /// It is held, and nobody waits.
    Held,
    /// Somebody waits to write, or it is gone.
    Contended,
}

impl Kernel {
    /// Takes a lease of a file that is open for reading: nobody has it open for writing,
    /// nor mapped, and whoever opens or truncates it waits. Readers come and go.
    ///
    /// The signal that a waiting opener raises kills the process by default, so it is
    /// changed first to one that is ignored by default.
    pub(crate) fn take_lease(&self, file: impl AsFd) -> Result<(), Errno> {
        self.lease(file.as_fd(), libc::F_RDLCK)
    }

    /// Takes a lease of a file that is open for writing, and by nobody else in any way:
    /// whoever opens or truncates it waits.
    pub(crate) fn take_sole_lease(&self, file: impl AsFd) -> Result<(), Errno> {
        self.lease(file.as_fd(), libc::F_WRLCK)
    }

    fn lease(&self, file: BorrowedFd<'_>, kind: libc::c_int) -> Result<(), Errno> {
        self.call(Call::RedirectSignal, || {
            fcntl(file, F_SETSIG, libc::SIGURG).map(drop)
        })?;
        self.set_lease(file, kind)
    }

    /// Takes a lease again that is held: refused if anybody has the file open for writing,
    /// or is on the way to it.
    pub(crate) fn renew_lease(&self, file: impl AsFd) -> Result<(), Errno> {
        self.set_lease(file.as_fd(), libc::F_RDLCK)
    }

    fn set_lease(&self, file: BorrowedFd<'_>, kind: libc::c_int) -> Result<(), Errno> {
        self.call(Call::TakeLease, || {
            fcntl(file, libc::F_SETLEASE, kind).map(drop)
        })
    }

    /// Whether the lease still stands.
    pub(crate) fn lease_state(&self, file: impl AsFd) -> Result<LeaseState, Errno> {
        let file = file.as_fd();
        match self.call(Call::AskLease, || fcntl(file, libc::F_GETLEASE, 0))? {
            libc::F_RDLCK => Ok(LeaseState::Held),
            _ => Ok(LeaseState::Contended),
        }
    }

    /// Gives the lease back; whoever waits goes on.
    pub(crate) fn release_lease(&self, file: impl AsFd) -> Result<(), Errno> {
        let file = file.as_fd();
        self.call(Call::ReleaseLease, || {
            fcntl(file, libc::F_SETLEASE, libc::F_UNLCK).map(drop)
        })
    }
}

fn fcntl(
    file: impl AsFd,
    command: libc::c_int,
    argument: libc::c_int,
) -> Result<libc::c_int, Errno> {
    // SAFETY: the descriptor is borrowed for the whole call, and each of the commands
    // used here takes one int and touches no memory of this process.
    let answer = unsafe { libc::fcntl(file.as_fd().as_raw_fd(), command, argument) };
    if answer < 0 {
        return Err(last_error());
    }
    Ok(answer)
}

/// The error of the call that this thread just made.
pub(super) fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}
