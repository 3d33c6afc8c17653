//! The way to the processes of a command that runs.

use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::options::Used;

/// The way to the processes of a command that runs: what the program that runs it is told,
/// it can tell them. May be used by several threads at once, and at any time: when the
/// command has ended, nobody is reached.
#[derive(Clone, Debug)]
pub struct Signals(Arc<Mutex<Reach>>);

/// Whom a signal reaches. None of these has been waited for, so that no number is another's.
#[derive(Clone, Copy, Debug)]
enum Reach {
    /// One that is in the group of this process.
    Process(Pid),
    /// One with a group of its own.
    Group(Pid),
    /// A runner with a group of its own, and the group of the command in it.
    Inner(Pid, Pid),
    Nobody,
}

impl Signals {
    pub(super) fn to(pid: Pid, backend: Used) -> Self {
        let reach = match backend {
            Used::Nothing => Reach::Process(pid),
            _ => Reach::Group(pid),
        };
        Self(Arc::new(Mutex::new(reach)))
    }

    /// Sends a signal by its number to the command and what is in its group; without
    /// confinement, to the command alone. One that nobody knows is not sent.
    pub fn send(&self, signal: i32) {
        let Some(signal) = Signal::from_named_raw(signal) else {
            return;
        };
        // Each fails where it has ended, and is then nobody's loss.
        let _ = self.with(|reach| match *reach {
            Reach::Process(process) => kill_process(process, signal),
            Reach::Group(group) | Reach::Inner(_, group) => kill_process_group(group, signal),
            Reach::Nobody => Ok(()),
        });
    }

    /// Reads in the report of bubblewrap which process it has made for the command. Until
    /// then a signal reaches bubblewrap itself, and ends it.
    pub(super) fn learn(&self, report: &[u8]) {
        self.with(|reach| {
            if let Reach::Group(runner) = *reach
                && let Some(inner) = inner(report)
            {
                *reach = Reach::Inner(runner, inner);
            }
        });
    }

    /// Kills what is left in the group, and reaches nobody from now on.
    pub(super) fn end(&self) {
        self.with(|reach| {
            if let Reach::Group(group) | Reach::Inner(group, _) = *reach {
                // It fails where the group has ended.
                let _ = kill_process_group(group, Signal::KILL);
            }
            *reach = Reach::Nobody;
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
