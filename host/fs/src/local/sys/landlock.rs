#![allow(unsafe_code, reason = "no wrapper asks for the ABI alone")]
//! Landlock, as far as it is only asked about.

use rustix::io::Errno;

use super::lease::last_error;

/// `LANDLOCK_CREATE_RULESET_VERSION`.
const VERSION: libc::c_long = 1;

/// The Landlock ABI of this kernel. The system call is asked, since the list of security
/// modules is not readable everywhere.
pub(crate) fn landlock_abi() -> Result<u32, Errno> {
    let none = std::ptr::null::<libc::c_void>();
    // SAFETY: with no attribute, length zero and the version flag, the call reads no
    // memory of this process and makes no descriptor.
    let answer = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0, VERSION) };
    u32::try_from(answer).map_err(|_| last_error())
}
