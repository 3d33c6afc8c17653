//! A process up to its program: what is run, in which session, with which descriptors, and
//! the pipe on which it is told that the program was reached.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, FdFlags, fcntl_setfd, write};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal, setsid};

use super::Environment;
use super::descriptors::close_at_start;
use super::signals::Signals;
use super::watch;
use crate::confined::Confined;
use crate::options::Used;
use crate::verdict::Verdict;
use crate::wording;

/// A process that can be started.
pub(super) struct Start {
    pub(super) command: Command,
    session: Session,
    report: File,
    reported: OwnedFd,
}

/// The session of a process, with its terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Session {
    /// One without a terminal.
    OfItsOwn,
    /// That of this process.
    Shared,
}

/// What became of the attempt to start it.
pub(super) enum Started<T> {
    /// It runs.
    Running(T),
    /// The program could not be started, or could not give up its rights.
    Failed(Verdict),
}

impl Start {
    /// The process of a confined command.
    pub(super) fn of(
        confined: &Confined,
        cwd: &Path,
        env: &Environment,
        session: Session,
    ) -> io::Result<Self> {
        let (report, reported) = pipe_with(PipeFlags::CLOEXEC)?;
        let mut command = command(confined, cwd, env, &reported);
        by_itself(&mut command, session, confined.backend == Used::Landlock);
        match (confined.backend, &confined.rules) {
            (Used::Bubblewrap, _) => inherit(&mut command, &reported),
            (_, Some(rules)) => rules.restrict(&mut command)?,
            (_, None) => {}
        }
        if confined.backend != Used::Bubblewrap {
            tell(&mut command, &reported);
        }
        Ok(Self {
            command,
            session,
            report: File::from(report),
            reported,
        })
    }

    /// Starts it; answers the process, the way to it, and the pipe of its report, which does
    /// not block.
    pub(super) fn start(self, confined: &Confined) -> io::Result<Started<(Child, Signals, File)>> {
        let Self {
            mut command,
            session,
            mut report,
            reported,
        } = self;
        let spawned = command.spawn();
        drop(reported);
        fcntl_setfl(&report, fcntl_getfl(&report)? | OFlags::NONBLOCK)?;
        match spawned {
            Ok(process) => {
                let signals = Signals::to(Pid::from_child(&process), session, confined.backend);
                // It has told already, where bubblewrap does so later.
                if confined.backend != Used::Bubblewrap {
                    let mut told = [0; 64];
                    let count = report.read(&mut told).unwrap_or(0);
                    signals.learn(&told[..count]);
                }
                Ok(Started::Running((process, signals, report)))
            }
            Err(error) => Ok(Started::Failed(failed(confined, &error, &mut report))),
        }
    }
}

/// Whether it is the program that cannot be started, or what comes before it.
fn failed(confined: &Confined, error: &io::Error, report: &mut File) -> Verdict {
    let itself = matches!(confined.backend, Used::Landlock | Used::Nothing);
    let mut told = [0; 1];
    if itself && report.read(&mut told).is_ok_and(|count| count > 0) {
        return Verdict::no_program(&confined.command[0], error);
    }
    Verdict::RunnerFailed(wording::cannot_start(error))
}

fn command(confined: &Confined, cwd: &Path, env: &Environment, reported: &OwnedFd) -> Command {
    let argv = match confined.backend {
        // The child gives up its rights itself, so that it is known whether it started.
        Used::Landlock => confined.command.clone(),
        Used::Bubblewrap => reporting(confined, cwd, reported),
        _ => confined.argv.clone(),
    };
    let mut command = Command::new(&argv[0]);
    command.args(&argv[1..]);
    command.env_clear().envs(env.variables());
    command.current_dir(cwd);
    command
}

/// The argv of bubblewrap that reports, and fails where it cannot enter the directory
/// instead of starting the command in another one.
fn reporting(confined: &Confined, cwd: &Path, reported: &OwnedFd) -> Vec<OsString> {
    let mut argv = confined.argv.clone();
    let number = reported.as_fd().as_raw_fd().to_string();
    let more: [OsString; 4] = [
        "--json-status-fd".into(),
        number.into(),
        "--chdir".into(),
        cwd.into(),
    ];
    argv.splice(1..1, more);
    argv
}

/// A process that ends with this thread, and without what this process has open: a file
/// that is open for writing would be a way past every policy. In a session of its own it
/// has no terminal either, into which it could type. One that is watched ends with all that
/// it has left behind.
fn by_itself(command: &mut Command, session: Session, is_watched: bool) {
    let parent = getpid();
    #[allow(unsafe_code, reason = "only the child may leave the session")]
    // SAFETY: between fork and exec the closure makes system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            if session == Session::OfItsOwn {
                setsid()?;
            }
            match is_watched {
                true => watch::divide(parent)?,
                false => end_with(parent, Signal::KILL)?,
            }
            close_at_start()
        });
    }
}

/// Has this process get a signal when the thread ends that started it.
pub(super) fn end_with(parent: Pid, signal: Signal) -> io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    // It may have ended before the signal was asked for. Nobody is told of a parent in
    // another space of processes.
    match getppid() {
        Some(now) if now != parent => Err(Errno::SRCH.into()),
        _ => Ok(()),
    }
}

/// Lets the program have a descriptor. It is closed in every other program that this
/// process starts meanwhile.
fn inherit(command: &mut Command, descriptor: &OwnedFd) {
    before_the_program(command, descriptor, |descriptor| {
        Ok(fcntl_setfd(descriptor, FdFlags::empty())?)
    });
}

/// Has the child tell, in the words of bubblewrap, which process it is, when nothing but its
/// program is left to start.
fn tell(command: &mut Command, reported: &OwnedFd) {
    before_the_program(command, reported, |reported| {
        let mut room = [0; 64];
        let mut rest = &mut room[..];
        writeln!(rest, "{{ \"child-pid\": {} }}", getpid().as_raw_nonzero())?;
        let free = rest.len();
        write(reported, &room[..room.len() - free])?;
        Ok(())
    });
}

fn before_the_program(
    command: &mut Command,
    descriptor: &OwnedFd,
    act: fn(std::os::fd::BorrowedFd<'_>) -> io::Result<()>,
) {
    let number = descriptor.as_raw_fd();
    #[allow(unsafe_code, reason = "the child has the descriptor by its number")]
    // SAFETY: the descriptor is kept open until the child has started; the closure makes
    // one system call and allocates nothing.
    unsafe {
        command.pre_exec(move || act(std::os::fd::BorrowedFd::borrow_raw(number)));
    }
}
