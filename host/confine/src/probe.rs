//! What this machine can confine with: found out by doing it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{bubblewrap, landlock, place, wording};

/// The system that commands run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
    /// Any other; nothing confines there.
    Other,
}

/// Answers what a machine can confine with. Tests put another machine in its place.
pub trait Probe: Send + Sync {
    /// The system.
    fn platform(&self) -> Platform;

    /// Runs a command under bubblewrap, and answers the path of the program.
    ///
    /// # Errors
    /// It cannot be started or does not work: one sentence.
    fn bubblewrap(&self, program: &Path, limit: Duration) -> Result<PathBuf, String>;

    /// Has a thread give up its rights, and answers what this kernel does not keep.
    ///
    /// # Errors
    /// Landlock is not there or does not work: one sentence.
    fn landlock(&self) -> Result<Vec<String>, String>;

    /// Whether the sandbox of macOS can be used.
    ///
    /// # Errors
    /// It cannot: one sentence.
    fn seatbelt(&self) -> Result<(), String>;
}

/// The machine that this process runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl Probe for Machine {
    fn platform(&self) -> Platform {
        if cfg!(target_os = "linux") {
            Platform::Linux
        } else if cfg!(target_os = "macos") {
            Platform::MacOs
        } else {
            Platform::Other
        }
    }

    fn bubblewrap(&self, program: &Path, limit: Duration) -> Result<PathBuf, String> {
        let program = found(program).ok_or_else(|| wording::no_program(program))?;
        let mut command = Command::new(&program);
        command.args(bubblewrap::base(false));
        command.args(bubblewrap::closing());
        command.args(["--", "/bin/sh", "-c", ":"]);
        works(command, limit).map(|()| program)
    }

    fn landlock(&self) -> Result<Vec<String>, String> {
        landlock::probe()
    }

    fn seatbelt(&self) -> Result<(), String> {
        let there = place::kind(Path::new(SANDBOX_EXEC)).is_some();
        let missing = || wording::no_program(Path::new(SANDBOX_EXEC));
        there.then_some(()).ok_or_else(missing)
    }
}

/// The program of macOS.
pub(crate) const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";

/// Where programs of the system lie. The `PATH` of a process, or of a command, could name
/// a directory that the confined commands write to.
const FOLDERS: [&str; 4] = [
    "/usr/bin",
    "/bin",
    "/usr/local/bin",
    "/run/current-system/sw/bin",
];

fn found(program: &Path) -> Option<PathBuf> {
    if program.is_absolute() {
        return Some(program.to_owned());
    }
    let places = FOLDERS.iter().map(|folder| Path::new(folder).join(program));
    places
        .into_iter()
        .find(|place| place::kind(place).is_some())
}

/// Runs a command that ends with 0 and nothing else.
fn works(mut command: Command, limit: Duration) -> Result<(), String> {
    command.env_clear().current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let spawned = command.stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|error| wording::cannot_start(&error))?;
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                // It ended by itself if it cannot be killed.
                let _ = child.kill();
                let _ = child.wait();
                return Err(wording::probe_took_too_long(limit));
            }
            Err(error) => return Err(wording::cannot_start(&error)),
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut said = String::new();
    if let Some(stderr) = child.stderr.take() {
        // What cannot be read is left out of the reason.
        let _ = stderr.take(4096).read_to_string(&mut said);
    }
    Err(wording::runner_said(&said))
}
