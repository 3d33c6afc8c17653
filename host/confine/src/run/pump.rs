//! Moves bytes to and from a command until it has ended.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::RunOptions;
use super::child::Child;
use super::output::{Keeper, Output};
use crate::verdict::Verdict;

/// How often it is looked at whether the caller withdrew.
const LOOK: Duration = Duration::from_millis(20);

/// How long what was printed is waited for when the command has ended: a process that left
/// its group may hold the pipe for ever.
pub(super) const DRAIN: Duration = Duration::from_millis(250);

/// How much a report may be.
const REPORT: usize = 16 << 10;

/// A command that has ended.
#[derive(Default)]
pub(super) struct Ended {
    pub(super) exit: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) stdout: Output,
    pub(super) stderr: Output,
    pub(super) status: String,
    /// Why it was killed.
    pub(super) killed: Option<Verdict>,
}

impl Ended {
    pub(super) fn of(status: ExitStatus) -> Self {
        Self {
            exit: status.code(),
            signal: status.signal(),
            ..Self::default()
        }
    }
}

/// The state of one run.
struct Pump<'a> {
    child: Child,
    options: &'a RunOptions,
    written: usize,
    stdout: Keeper,
    stderr: Keeper,
    status: Keeper,
    killed: Option<Verdict>,
    deadline: Option<Instant>,
    /// Set once the process has ended.
    drained_at: Option<Instant>,
}

/// Moves bytes until the command has ended and its pipes are closed.
pub(super) fn pump(child: Child, options: &RunOptions) -> io::Result<Ended> {
    let mut pump = Pump {
        child,
        options,
        written: 0,
        stdout: Keeper::new(options.output_cap),
        stderr: Keeper::new(options.output_cap),
        status: Keeper::new(REPORT),
        killed: None,
        deadline: options.time_limit.map(|limit| Instant::now() + limit),
        drained_at: None,
    };
    while pump.step()? {}
    pump.ended()
}

impl Pump<'_> {
    /// One look at everything; false when nothing is left to do.
    fn step(&mut self) -> io::Result<bool> {
        let has_ended = self.wait_for_news()?;
        self.write();
        read(&mut self.child.stdout, &mut self.stdout);
        read(&mut self.child.stderr, &mut self.stderr);
        read(&mut self.child.status, &mut self.status);
        if has_ended && self.drained_at.is_none() {
            // What it left running in its group ends with it.
            self.child.kill();
            self.drained_at = Some(Instant::now() + DRAIN);
        }
        match self.drained_at {
            Some(end) => Ok(Instant::now() < end && self.has_open_pipes()),
            None => {
                self.look_at_the_clock();
                Ok(true)
            }
        }
    }

    fn has_open_pipes(&self) -> bool {
        self.child.stdout.is_some() || self.child.stderr.is_some()
    }

    fn look_at_the_clock(&mut self) {
        let late = self.deadline.is_some_and(|end| Instant::now() >= end);
        let why = if self.options.cancel.is_cancelled() {
            Verdict::Cancelled
        } else if late {
            Verdict::TimedOut
        } else {
            return;
        };
        self.killed.get_or_insert(why);
        self.child.kill();
    }

    /// Waits for something to do, not long; answers whether the process has ended.
    fn wait_for_news(&self) -> io::Result<bool> {
        let child = &self.child;
        let mut descriptors = Vec::new();
        if self.drained_at.is_none() {
            descriptors.push(PollFd::new(&child.handle, PollFlags::IN));
        }
        let pipes = [&child.stdout, &child.stderr, &child.status];
        for pipe in pipes.into_iter().flatten() {
            descriptors.push(PollFd::new(pipe, PollFlags::IN));
        }
        if let Some(stdin) = &child.stdin {
            descriptors.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let wait = Timespec::try_from(LOOK).map_err(io::Error::other)?;
        match poll(&mut descriptors, Some(&wait)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let first = descriptors.first().filter(|_| self.drained_at.is_none());
        Ok(first.is_some_and(|process| !process.revents().is_empty()))
    }

    fn write(&mut self) {
        let Some(pipe) = &mut self.child.stdin else {
            return;
        };
        let rest = &self.options.stdin[self.written..];
        match pipe.write(rest) {
            Ok(count) if count < rest.len() => self.written += count,
            Err(error) if waits(&error) => {}
            // All is written, or nobody reads.
            Ok(_) | Err(_) => self.child.stdin = None,
        }
    }

    fn ended(mut self) -> io::Result<Ended> {
        let status = self.child.wait()?;
        let report = self.status.finish();
        Ok(Ended {
            stdout: self.stdout.finish(),
            stderr: self.stderr.finish(),
            status: String::from_utf8_lossy(&report.bytes).into_owned(),
            killed: self.killed,
            ..Ended::of(status)
        })
    }
}

fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Takes what is there, a bounded part at a time; a pipe that has ended is closed.
fn read(pipe: &mut Option<File>, keeper: &mut Keeper) {
    let Some(open) = pipe else {
        return;
    };
    let mut buffer = [0; 64 << 10];
    match open.read(&mut buffer) {
        Ok(0) => *pipe = None,
        Ok(count) => keeper.take(&buffer[..count]),
        Err(error) if waits(&error) => {}
        Err(_) => *pipe = None,
    }
}
