//! A process that watches over a command, where no space of processes ends with it.
//!
//! The child that is to become the program divides itself. One half restricts itself and
//! becomes the program, in a session of its own. The other one keeps its rights and stays
//! its parent, and that of everything which the program leaves behind. When the program
//! ends, or the thread that has started it, it kills all of that, and ends as the program
//! did. It has nothing open, and a command that is restricted can neither trace it nor, from
//! Linux 6.12 on, send it a signal; before that, a command that ends it ends with it.
//!
//! All of this happens between fork and exec: nothing is allocated.

use std::io;
use std::mem::MaybeUninit;

use rustix::fs::{CWD, Mode, OFlags, open, readlinkat_raw};
use rustix::io::{Errno, read};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, kill_process,
    kill_process_group, set_child_subreaper, setrlimit, setsid, wait,
};

use super::descriptors::close_all;
use super::start::end_with;

/// The signal that ends everything.
pub(super) const END: Signal = Signal::TERM;

/// How long those that were killed are waited for before the next look.
const PAUSE_NANOSECONDS: libc::c_long = 2_000_000;

/// Divides this process. Returns in the one that is to become the program.
///
/// # Errors
/// The system has no process left, or the thread that has started this one has ended.
pub(super) fn divide(parent: Pid) -> io::Result<()> {
    let own = getpid();
    let every = every_signal();
    mask(libc::SIG_BLOCK, &every)?;
    set_child_subreaper(Some(own))?;
    end_with(parent, END)?;
    match fork()? {
        Some(program) => match close_all() {
            Ok(()) => Watch::over(program).until_the_end(&every),
            // Whoever has started this waits for what is left open.
            Err(_) => exit(libc::EXIT_FAILURE),
        },
        None => {
            mask(libc::SIG_UNBLOCK, &every)?;
            setsid()?;
            end_with(own, Signal::KILL)
        }
    }
}

struct Watch {
    program: Pid,
    status: Option<WaitStatus>,
}

impl Watch {
    fn over(program: Pid) -> Self {
        Self {
            program,
            status: None,
        }
    }

    fn until_the_end(mut self, every: &libc::sigset_t) -> ! {
        while self.status.is_none() {
            if next_signal(every) == Some(END) {
                break;
            }
            self.reap();
        }
        self.end_all();
        end_as(self.status)
    }

    /// Takes in those that have ended; answers whether any is left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((process, status))) if process == self.program => {
                    self.status = Some(status);
                }
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Kills all that the program has left: whoever loses its parent becomes a child of
    /// this process, and is found at the next look.
    fn end_all(&mut self) {
        // It has ended, or will; its number is not another's before it is taken in.
        if self.status.is_none() {
            let _ = kill_process(self.program, Signal::KILL);
            let _ = kill_process_group(self.program, Signal::KILL);
        }
        while kill_children().is_ok() && self.reap() {
            pause();
        }
        self.reap();
    }
}

/// Kills the children of this process, as far as one look shows them.
fn kill_children() -> io::Result<()> {
    let mut room = [0; 16];
    let length = readlinkat_raw(CWD, c"/proc/self", &mut room[..])?;
    // The numbers may be those of another space of processes.
    if number(&room[..length]) != Some(getpid()) {
        return Err(Errno::NOSYS.into());
    }
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let children = open(c"/proc/thread-self/children", flags, Mode::empty())?;
    let mut room = [0; 4096];
    let count = read(&children, &mut room)?;
    // Each number is followed by a space; one that is cut off is none.
    for child in room[..count].split_inclusive(|byte| *byte == b' ') {
        if let Some(child) = child.strip_suffix(b" ").and_then(number) {
            // It may have ended.
            let _ = kill_process(child, Signal::KILL);
        }
    }
    Ok(())
}

fn number(text: &[u8]) -> Option<Pid> {
    Pid::from_raw(std::str::from_utf8(text).ok()?.parse().ok()?)
}

/// Ends as another process has.
fn end_as(status: Option<WaitStatus>) -> ! {
    let signal = match status {
        Some(status) => status.terminating_signal(),
        None => Some(libc::SIGKILL),
    };
    if let Some(signal) = signal {
        die_of(signal);
    }
    let code = status.and_then(|status| status.exit_status());
    exit(code.unwrap_or(libc::EXIT_FAILURE))
}

/// Dies of a signal, as whoever waits for this process is to see it.
fn die_of(signal: i32) {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // A core of this process would be another's.
    let _ = setrlimit(Resource::Core, none);
    #[allow(unsafe_code, reason = "the signal may be one that has no name")]
    // SAFETY: the calls change what this process does with a signal, and send it one.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
    }
    let _ = mask(libc::SIG_UNBLOCK, &every_signal());
    exit(128 + signal)
}

fn exit(code: i32) -> ! {
    #[allow(
        unsafe_code,
        reason = "nothing of the process that was forked is to run"
    )]
    // SAFETY: the call does not return.
    unsafe {
        libc::_exit(code)
    }
}

fn fork() -> io::Result<Option<Pid>> {
    #[allow(unsafe_code, reason = "there is no wrapper for a fork")]
    // SAFETY: this process has one thread, which allocates nothing in either half.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        child => Ok(Pid::from_raw(child)),
    }
}

fn every_signal() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    #[allow(unsafe_code, reason = "a set of signals is made by a call")]
    // SAFETY: the call fills the set.
    unsafe {
        libc::sigfillset(set.as_mut_ptr());
        set.assume_init()
    }
}

fn mask(how: libc::c_int, set: &libc::sigset_t) -> io::Result<()> {
    #[allow(unsafe_code, reason = "no wrapper blocks signals")]
    // SAFETY: the set is read, and what was blocked before is not asked for.
    match unsafe { libc::sigprocmask(how, set, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn next_signal(set: &libc::sigset_t) -> Option<Signal> {
    #[allow(unsafe_code, reason = "no wrapper waits for signals")]
    // SAFETY: the set is read, and nothing besides the number is asked for.
    let number = unsafe { libc::sigwaitinfo(set, std::ptr::null_mut()) };
    Signal::from_named_raw(number)
}

fn pause() {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: PAUSE_NANOSECONDS,
    };
    #[allow(
        unsafe_code,
        reason = "the wrapper of the standard library may allocate"
    )]
    // SAFETY: the time is read.
    unsafe {
        libc::nanosleep(&time, std::ptr::null_mut());
    }
}
