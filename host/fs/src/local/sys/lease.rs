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
    /// `NOTSUP`: others change the file without this kernel, which cannot make them wait.
    ///
    /// The signal that a waiting opener raises kills the process by default, so it is
    /// changed first to one that is ignored by default.
    pub(crate) fn take_lease(&self, file: impl AsFd) -> Result<(), Errno> {
        self.lease(file.as_fd(), libc::F_RDLCK)
    }

    /// Takes a lease of a file that is open for writing, and by nobody else in any way:
    /// whoever opens or truncates it waits. `NOTSUP` as above.
    pub(crate) fn take_sole_lease(&self, file: impl AsFd) -> Result<(), Errno> {
        self.lease(file.as_fd(), libc::F_WRLCK)
    }

    fn lease(&self, file: BorrowedFd<'_>, kind: libc::c_int) -> Result<(), Errno> {
        let of = self.call(Call::StatFileSystem, || rustix::fs::fstatfs(file))?;
        if others_have(of.f_type) {
            return Err(Errno::NOTSUP);
        }
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

/// Whether a file system of this type is served by a program or another machine, where its
/// files can change without this kernel. The numbers are those of `linux/magic.h`, of
/// statfs(2), and of stat(1).
fn others_have(kind: rustix::fs::FsWord) -> bool {
    const FUSE: u32 = 0x6573_5546;
    const NFS: u32 = 0x6969;
    const SMB: u32 = 0x517B;
    const CIFS: u32 = 0xFF53_4D42;
    const SMB2: u32 = 0xFE53_4D42;
    const V9FS: u32 = 0x0102_1997;
    const CEPH: u32 = 0x00C3_6400;
    const AFS: u32 = 0x5346_414F;
    const KAFS: u32 = 0x6B41_4653;
    const CODA: u32 = 0x7375_7245;
    const OCFS2: u32 = 0x7461_636F;
    const GFS2: u32 = 0x0116_1970;
    const LUSTRE: u32 = 0x0BD0_0BD0;
    const GPFS: u32 = 0x4750_4653;
    const PRL: u32 = 0x7C7C_6673;
    const VBOX: u32 = 0x786F_4256;
    const VMHGFS: u32 = 0xBACB_ACBC;
    matches!(
        // The word is signed or not, and of 32 or 64 bits, as the architecture has it.
        kind as u32,
        FUSE | NFS
            | SMB
            | CIFS
            | SMB2
            | V9FS
            | CEPH
            | AFS
            | KAFS
            | CODA
            | OCFS2
            | GFS2
            | LUSTRE
            | GPFS
            | PRL
            | VBOX
            | VMHGFS
    )
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
