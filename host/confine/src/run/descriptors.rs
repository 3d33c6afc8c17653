//! What a command does not inherit.
//!
//! A descriptor carries the rights with which it was opened, and the mount on which it was
//! found: no policy that is set up afterwards takes them back.

use std::io;
use std::mem::MaybeUninit;

use rustix::fs::{Mode, OFlags, RawDir, open};

/// The first that is closed: those before are the streams.
const FIRST: libc::c_uint = 3;

/// Has every descriptor but the first three closed when the program starts. For a child
/// between fork and exec: allocates nothing.
///
/// # Errors
/// The kernel closes no range, and the descriptors cannot be listed.
pub(super) fn close_at_start() -> io::Result<()> {
    close_range().or_else(|_| close_listed())
}

/// From Linux 5.11 on.
fn close_range() -> io::Result<()> {
    /// `CLOSE_RANGE_CLOEXEC`.
    const CLOEXEC: libc::c_uint = 4;
    #[allow(unsafe_code, reason = "no wrapper marks a range of descriptors")]
    // SAFETY: the call takes numbers alone.
    let answer = unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, CLOEXEC) };
    match answer {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn close_listed() -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = open("/proc/self/fd", flags, Mode::empty())?;
    let mut room = [MaybeUninit::uninit(); 1024];
    let mut entries = RawDir::new(&folder, &mut room);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        // The folder names itself and the one above besides.
        let name = std::str::from_utf8(entry.file_name().to_bytes());
        match name.ok().and_then(|name| name.parse::<libc::c_uint>().ok()) {
            Some(number) if number >= FIRST => close_one(number.cast_signed())?,
            _ => {}
        }
    }
    Ok(())
}

fn close_one(number: i32) -> io::Result<()> {
    #[allow(unsafe_code, reason = "the descriptor is known by its number alone")]
    // SAFETY: the call takes numbers alone; one that is not open is refused.
    match unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::{close_listed, close_range};

    /// What a program has open besides its streams and the folder that it lists, where this
    /// process has left a descriptor to it.
    fn open_after(close: fn() -> std::io::Result<()>) -> String {
        let left = rustix::pipe::pipe().expect("a pipe");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "cd /proc/self/fd && echo *"]);
        #[allow(unsafe_code, reason = "only the child may lose its descriptors")]
        // SAFETY: the closure makes system calls and allocates nothing.
        unsafe {
            command.pre_exec(close);
        }
        let output = command.output().expect("it starts");
        drop(left);
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Both ways, since a kernel takes one of them. Each fails where it marks nothing.
    #[test]
    fn nothing_is_left_open_either_way() {
        assert_ne!(open_after(|| Ok(())).trim(), "0 1 2 3");
        for close in [close_range, close_listed] {
            assert_eq!(open_after(close).trim(), "0 1 2 3");
        }
    }
}
