//! What a command does not inherit.
//!
//! A descriptor carries the rights with which it was opened, and the mount on which it was
//! found: no policy that is set up afterwards takes them back.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;

use rustix::fs::{Mode, OFlags, RawDir, open};

/// The first that is closed: those before are the streams.
const FIRST: libc::c_uint = 3;

/// `CLOSE_RANGE_CLOEXEC`.
const CLOEXEC: libc::c_uint = 4;

/// Has every descriptor but the first three closed when the program starts. For a child
/// between fork and exec: allocates nothing.
///
/// # Errors
/// The kernel closes no range (it does from Linux 5.11 on), and they cannot be listed.
pub(super) fn close_at_start() -> io::Result<()> {
    range(FIRST, CLOEXEC).or_else(|_| listed(FIRST, close_one_at_start))
}

/// Closes every descriptor of a child that starts no program.
///
/// # Errors
/// The kernel closes no range (it does from Linux 5.9 on), and they cannot be listed.
pub(super) fn close_all() -> io::Result<()> {
    range(0, 0).or_else(|_| listed(0, close_one))
}

fn range(first: libc::c_uint, flags: libc::c_uint) -> io::Result<()> {
    #[allow(unsafe_code, reason = "no wrapper closes a range of descriptors")]
    // SAFETY: the call takes numbers alone; nobody uses those that it closes any more.
    let answer = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, flags) };
    done(answer)
}

fn listed(first: libc::c_uint, act: fn(i32) -> io::Result<()>) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = open(c"/proc/self/fd", flags, Mode::empty())?;
    let mut room = [MaybeUninit::uninit(); 1024];
    let mut entries = RawDir::new(&folder, &mut room);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        // The folder names itself and the one above besides.
        let name = std::str::from_utf8(entry.file_name().to_bytes());
        let number = name.ok().and_then(|name| name.parse().ok());
        let Some(number) = number.filter(|number: &libc::c_uint| *number >= first) else {
            continue;
        };
        if number.cast_signed() != folder.as_raw_fd() {
            act(number.cast_signed())?;
        }
    }
    Ok(())
}

fn close_one_at_start(number: i32) -> io::Result<()> {
    #[allow(unsafe_code, reason = "the descriptor is known by its number alone")]
    // SAFETY: the call takes numbers alone; one that is not open is refused.
    let answer = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
    done(answer.into())
}

fn close_one(number: i32) -> io::Result<()> {
    #[allow(unsafe_code, reason = "the descriptor is known by its number alone")]
    // SAFETY: the call takes numbers alone; nobody uses the descriptor any more.
    let answer = unsafe { libc::close(number) };
    done(answer.into())
}

fn done(answer: libc::c_long) -> io::Result<()> {
    match answer {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::{CLOEXEC, FIRST, close_one_at_start, listed, range};

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
        let at_once = || range(FIRST, CLOEXEC);
        let one_by_one = || listed(FIRST, close_one_at_start);
        for close in [at_once, one_by_one] {
            assert_eq!(open_after(close).trim(), "0 1 2 3");
        }
    }
}
