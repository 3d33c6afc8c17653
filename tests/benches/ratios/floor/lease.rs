#![allow(
    unsafe_code,
    reason = "leases have no safe wrapper in rustix, and fcntl is variadic"
)]
//! A lease, as the host takes it.

use std::os::fd::{AsRawFd, OwnedFd};

/// The command of `asm-generic/fcntl.h`, which the libc crate lacks for Linux.
const F_SETSIG: libc::c_int = 10;

/// Keeps writers waiting; the signal is changed to one that is ignored.
pub(super) fn take(file: &OwnedFd) {
    fcntl(file, F_SETSIG, libc::SIGURG);
    fcntl(file, libc::F_SETLEASE, libc::F_RDLCK);
}

/// Gives it back.
pub(super) fn release(file: &OwnedFd) {
    fcntl(file, libc::F_SETLEASE, libc::F_UNLCK);
}

fn fcntl(file: &OwnedFd, command: libc::c_int, argument: libc::c_int) {
    // SAFETY: the descriptor is borrowed for the whole call, and both commands take one int
    // and touch no memory of this process.
    let answer = unsafe { libc::fcntl(file.as_raw_fd(), command, argument) };
    assert!(answer >= 0, "{}", std::io::Error::last_os_error());
}
