//! The way to the processes of a command that runs.

use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::start::Session;
use super::watch;
use crate::options::Used;

/// The way to the processes of a command that runs: what the program that runs it is told,
/// it can tell them. May be used by several threads at once, and at any time: when the
/// command has ended, nobody is reached.
#[derive(Clone, Debug)]
pub struct Signals(Arc<Mutex<Reach>>);

#[derive(Clone, Copy, Debug)]
struct Reach {
    /// The process that was started. It has not been waited for, so that its number is no
    /// other's.
    started: Pid,
    kind: Kind,
    /// The group of the command, where that is another one.
    inner: Option<Pid>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The command, in the group of this process.
    Alone,
    /// The command or its runner, in a group of its own.
    Group,
    /// One that watches over the command.
    Watch,
    /// It has ended.
    Nobody,
}

impl Signals {
    pub(super) fn to(started: Pid, session: Session, backend: Used) -> Self {
        let kind = match (session, backend) {
            (Session::Shared, _) => Kind::Alone,
            (_, Used::Landlock) => Kind::Watch,
            _ => Kind::Group,
        };
        Self(Arc::new(Mutex::new(Reach {
            started,
            kind,
            inner: None,
        })))
    }

    /// Sends a signal by its number to the command and what is in its group; without
    /// confinement, to the command alone. One that nobody knows is not sent.
    pub fn send(&self, signal: i32) {
        let Some(signal) = Signal::from_named_raw(signal) else {
            return;
        };
        // Each fails where it has ended, and is then nobody's loss.
        let _ = self.with(|reach| match (reach.kind, reach.inner) {
            (Kind::Nobody, _) => Ok(()),
            (Kind::Alone, _) => kill_process(reach.started, signal),
            (_, Some(group)) => kill_process_group(group, signal),
            // What is to become the command, or to start it, is ended with it.
            (Kind::Watch | Kind::Group, None) => kill_process_group(reach.started, signal),
        });
    }

    /// Reads in a report which process has been made for the command. Until then a signal
    /// reaches what comes before it.
    pub(super) fn learn(&self, report: &[u8]) {
        self.with(|reach| {
            if reach.inner.is_none() {
                reach.inner = inner(report);
            }
        });
    }

    /// Kills the command and what is left in its group, and reaches nobody from now on. A
    /// command in the group of this process goes on.
    pub(super) fn end(&self) {
        // Each fails where it has ended.
        self.with(|reach| {
            let _ = match reach.kind {
                Kind::Group => kill_process_group(reach.started, Signal::KILL),
                Kind::Watch => kill_process(reach.started, watch::END),
                Kind::Alone | Kind::Nobody => Ok(()),
            };
            reach.kind = Kind::Nobody;
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut Reach) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The number after `"child-pid":`.
fn inner(report: &[u8]) -> Option<Pid> {
    let report = std::str::from_utf8(report).ok()?;
    let (_, rest) = report.split_once("\"child-pid\":")?;
    let (number, _) = rest
        .trim_start()
        .split_once(|c: char| !c.is_ascii_digit())?;
    Pid::from_raw(number.parse().ok()?)
}
