//! The process of a command, and the pipes to it.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, set_parent_process_death_signal,
    setsid,
};

use super::RunOptions;
use crate::confined::Confined;
use crate::options::Used;

/// A process that was started, and this side of its pipes, none of which blocks.
pub(super) struct Child {
    process: std::process::Child,
    pub(super) handle: OwnedFd,
    pub(super) stdin: Option<File>,
    pub(super) stdout: Option<File>,
    pub(super) stderr: Option<File>,
    /// On which bubblewrap reports.
    pub(super) status: Option<File>,
}

/// What became of the attempt to start it.
pub(super) enum Spawned {
    /// It runs.
    Started(Child),
    /// The program could not be started, or could not give up its rights.
    Failed(io::Error),
}

impl Child {
    pub(super) fn spawn(confined: &Confined, options: &RunOptions) -> io::Result<Spawned> {
        let (report, reported) = pipe_with(PipeFlags::CLOEXEC)?;
        let mut command = command(confined, options, &reported);
        by_itself(&mut command);
        match (confined.backend, &confined.rules) {
            (Used::Bubblewrap, _) => inherit(&mut command, &reported),
            (_, Some(rules)) => rules.restrict(&mut command)?,
            (_, None) => {}
        }
        let stdin = if options.stdin.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        };
        command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let process = match command.spawn() {
            Ok(process) => process,
            Err(error) => return Ok(Spawned::Failed(error)),
        };
        drop(reported);
        Self::of(process, report).map(Spawned::Started)
    }

    fn of(mut process: std::process::Child, report: OwnedFd) -> io::Result<Self> {
        let pid = Pid::from_child(&process);
        let child = Self {
            handle: pidfd_open(pid, PidfdFlags::empty())?,
            stdin: process
                .stdin
                .take()
                .map(|pipe| File::from(OwnedFd::from(pipe))),
            stdout: process
                .stdout
                .take()
                .map(|pipe| File::from(OwnedFd::from(pipe))),
            stderr: process
                .stderr
                .take()
                .map(|pipe| File::from(OwnedFd::from(pipe))),
            status: Some(File::from(report)),
            process,
        };
        let pipes = [&child.stdin, &child.stdout, &child.stderr, &child.status];
        for pipe in pipes.into_iter().flatten() {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(child)
    }

    /// Kills the process and what is in its group. Must come before [`Self::wait`], after
    /// which the number may be another group's.
    pub(super) fn kill(&self) {
        // It fails where the group has ended.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
    }

    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        self.process.wait()
    }
}

/// A call that ends early leaves no process behind.
impl Drop for Child {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            self.kill();
            let _ = self.process.wait();
        }
    }
}

fn command(confined: &Confined, options: &RunOptions, reported: &OwnedFd) -> Command {
    let argv = match confined.backend {
        // The child gives up its rights itself, so that it is known whether it started.
        Used::Landlock => confined.command.clone(),
        Used::Bubblewrap => reporting(confined, options, reported),
        _ => confined.argv.clone(),
    };
    let mut command = Command::new(&argv[0]);
    command.args(&argv[1..]);
    command.env_clear().envs(options.env.variables());
    command.current_dir(&options.cwd);
    command
}

/// The argv of bubblewrap that reports, and fails where it cannot enter the directory
/// instead of starting the command in another one.
fn reporting(confined: &Confined, options: &RunOptions, reported: &OwnedFd) -> Vec<OsString> {
    let mut argv = confined.argv.clone();
    let number = reported.as_fd().as_raw_fd().to_string();
    let more: [OsString; 4] = [
        "--json-status-fd".into(),
        number.into(),
        "--chdir".into(),
        options.cwd.clone().into(),
    ];
    argv.splice(1..1, more);
    argv
}

/// In a session of its own, that ends with this thread, and without what this process has
/// open: a file that is open for writing would be a way past every policy.
fn by_itself(command: &mut Command) {
    #[allow(unsafe_code, reason = "only the child may leave the session")]
    // SAFETY: between fork and exec the closure makes system calls and allocates nothing.
    unsafe {
        command.pre_exec(|| {
            setsid()?;
            set_parent_process_death_signal(Some(Signal::KILL))?;
            close_at_start();
            Ok(())
        });
    }
}

/// Has every descriptor but the first three closed when the program starts.
fn close_at_start() {
    /// `CLOSE_RANGE_CLOEXEC`: from Linux 5.11 on.
    const CLOEXEC: libc::c_uint = 4;
    const FIRST: libc::c_uint = 3;
    /// Where the kernel cannot do it at once: more than a program has open by default.
    const MANY: i32 = 4096;
    #[allow(unsafe_code, reason = "no wrapper marks a range of descriptors")]
    // SAFETY: the calls take numbers alone; one that is not open is refused.
    unsafe {
        let all = libc::c_uint::MAX;
        if libc::syscall(libc::SYS_close_range, FIRST, all, CLOEXEC) != 0 {
            for number in 3..MANY {
                libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
    }
}

/// Lets the program have a descriptor. It is closed in every other program that this
/// process starts meanwhile.
fn inherit(command: &mut Command, descriptor: &OwnedFd) {
    let number = descriptor.as_raw_fd();
    #[allow(unsafe_code, reason = "only the child may keep the descriptor")]
    // SAFETY: the caller keeps the descriptor open until the child has started; the
    // closure makes one system call and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            let descriptor = std::os::fd::BorrowedFd::borrow_raw(number);
            fcntl_setfd(descriptor, FdFlags::empty())?;
            Ok(())
        });
    }
}
