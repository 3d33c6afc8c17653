#![allow(unsafe_code, reason = "rustix refuses faccessat2 with an empty path")]
//! Whether this process may write to a file that is open for reading.

use std::os::fd::{AsFd, AsRawFd};

use rustix::io::Errno;

use super::lease::last_error;
use super::{Call, Kernel};

impl Kernel {
    /// Asks with the effective rights; nothing is opened for writing, so that nobody who
    /// wants to run the file meets a busy text.
    ///
    /// ENOSYS or EINVAL: kernels before 5.8 cannot tell.
    pub(crate) fn may_write(&self, file: impl AsFd) -> Result<(), Errno> {
        let file = file.as_fd().as_raw_fd();
        self.call(Call::MayWrite, || {
            // SAFETY: the descriptor is borrowed by the caller, and the path is a constant
            // string with its NUL; the kernel only reads it.
            let answer = unsafe {
                libc::syscall(
                    libc::SYS_faccessat2,
                    file,
                    c"".as_ptr(),
                    libc::W_OK,
                    libc::AT_EMPTY_PATH | libc::AT_EACCESS,
                )
            };
            if answer < 0 {
                Err(last_error())
            } else {
                Ok(())
            }
        })
    }
}
