//! Runs a confined command with the streams of this process.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open};

use super::AttachOptions;
use super::output::Keeper;
use super::pump::{DRAIN, Ended};
use super::signals::Signals;
use super::start::{Session, Start, Started};
use super::streams::{self, Streams};
use crate::confined::Confined;
use crate::options::Used;

/// How much of standard error is kept for telling a denial.
const KEPT: usize = 64 << 10;

/// A command that runs.
pub(super) struct Attached {
    process: Child,
    handle: OwnedFd,
    report: Option<File>,
    stderr: Option<File>,
    told: Vec<u8>,
    kept: Keeper,
    signals: Signals,
    /// What it writes to standard error is seen here.
    pub(super) is_seen: bool,
}

impl Attached {
    /// Starts it.
    pub(super) fn spawn(confined: &Confined, options: &AttachOptions) -> io::Result<Started<Self>> {
        // Without confinement it keeps the terminal.
        let session = match confined.backend {
            Used::Nothing => Session::Shared,
            _ => Session::OfItsOwn,
        };
        let mut start = Start::of(confined, &options.cwd, &options.env, session)?;
        let streams = Streams::of(confined.backend)?;
        streams.hand_over(&mut start.command);
        let (mut process, signals, report) = match start.start(confined)? {
            Started::Running(running) => running,
            Started::Failed(verdict) => return Ok(Started::Failed(verdict)),
        };
        let pid = Pid::from_child(&process);
        let stderr = process.stderr.take().map(OwnedFd::from).map(File::from);
        let stdin = process.stdin.take();
        let attached = Self {
            handle: pidfd_open(pid, PidfdFlags::empty())?,
            report: Some(report),
            is_seen: stderr.is_some(),
            stderr,
            told: Vec::new(),
            kept: Keeper::new(KEPT),
            signals,
            process,
        };
        if let Some(pipe) = &attached.stderr {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        stdin.map(streams::feed).transpose()?;
        Ok(Started::Running(attached))
    }

    /// The way to its processes.
    pub(super) fn signals(&self) -> Signals {
        self.signals.clone()
    }

    /// Hands on what it writes until it has ended.
    pub(super) fn wait(mut self) -> io::Result<Ended> {
        while !self.step(None)? {}
        // What it left running in its group ends with it, before its number is another's.
        self.signals.end();
        let end = Instant::now() + DRAIN;
        while self.stderr.is_some() && Instant::now() < end {
            self.step(Some(DRAIN / 10))?;
        }
        let status = self.process.wait()?;
        let stderr = std::mem::replace(&mut self.kept, Keeper::new(0));
        Ok(Ended {
            stderr: stderr.finish(),
            status: String::from_utf8_lossy(&self.told).into_owned(),
            ..Ended::of(status)
        })
    }

    /// One look at everything; answers whether the process has ended, which is looked at
    /// only without a limit.
    fn step(&mut self, limit: Option<Duration>) -> io::Result<bool> {
        let has_ended = self.wait_for_news(limit)?;
        let told = &mut self.told;
        take(&mut self.report, |bytes| told.extend_from_slice(bytes));
        self.signals.learn(&self.told);
        let kept = &mut self.kept;
        take(&mut self.stderr, |bytes| {
            // A standard error that is closed takes nothing; the command goes on.
            let _ = io::stderr().write_all(bytes);
            kept.take(bytes);
        });
        Ok(has_ended)
    }

    fn wait_for_news(&self, limit: Option<Duration>) -> io::Result<bool> {
        let pipes = [&self.report, &self.stderr].into_iter().flatten();
        let mut news: Vec<_> = pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)).collect();
        if limit.is_none() {
            news.push(PollFd::new(&self.handle, PollFlags::IN));
        }
        let timeout = limit.map(Timespec::try_from).transpose();
        match poll(&mut news, timeout.map_err(io::Error::other)?.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let last = news.last().filter(|_| limit.is_none());
        Ok(last.is_some_and(|process| !process.revents().is_empty()))
    }
}

/// A call that ends early leaves no process behind.
impl Drop for Attached {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            self.signals.send(Signal::KILL.as_raw());
            self.signals.end();
            let _ = self.process.wait();
        }
    }
}

/// Takes what is there; a pipe that has ended is closed.
fn take(pipe: &mut Option<File>, with: impl FnOnce(&[u8])) {
    let Some(open) = pipe else {
        return;
    };
    let mut buffer = [0; 8 << 10];
    match open.read(&mut buffer) {
        Ok(0) => *pipe = None,
        Ok(count) => with(&buffer[..count]),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
        Err(_) => *pipe = None,
    }
}
