//! The process of a command, and the pipes to it.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{ExitStatus, Stdio};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::RunOptions;
use super::signals::Signals;
use super::start::{Session, Start, Started};
use crate::confined::Confined;

/// A process that was started, and this side of its pipes, none of which blocks.
pub(super) struct Child {
    process: std::process::Child,
    signals: Signals,
    pub(super) handle: OwnedFd,
    pub(super) stdin: Option<File>,
    pub(super) stdout: Option<File>,
    pub(super) stderr: Option<File>,
    /// On which it is told that the program was reached.
    pub(super) status: Option<File>,
}

impl Child {
    pub(super) fn spawn(confined: &Confined, options: &RunOptions) -> io::Result<Started<Self>> {
        let mut start = Start::of(confined, &options.cwd, &options.env, Session::OfItsOwn)?;
        let stdin = if options.stdin.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        };
        start
            .command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        match start.start(confined)? {
            Started::Running((process, signals, report)) => {
                Self::of(process, signals, report).map(Started::Running)
            }
            Started::Failed(verdict) => Ok(Started::Failed(verdict)),
        }
    }

    fn of(mut process: std::process::Child, signals: Signals, report: File) -> io::Result<Self> {
        let pid = Pid::from_child(&process);
        let child = Self {
            handle: pidfd_open(pid, PidfdFlags::empty())?,
            stdin: process.stdin.take().map(file),
            stdout: process.stdout.take().map(file),
            stderr: process.stderr.take().map(file),
            status: Some(report),
            process,
            signals,
        };
        for pipe in [&child.stdin, &child.stdout, &child.stderr]
            .into_iter()
            .flatten()
        {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(child)
    }

    /// Kills the process and what it has left. Must come before [`Self::wait`], after which
    /// the number may be another's.
    pub(super) fn kill(&self) {
        self.signals.end();
    }

    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        self.process.wait()
    }
}

fn file(pipe: impl Into<OwnedFd>) -> File {
    File::from(pipe.into())
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
