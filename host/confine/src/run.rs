//! Runs a confined command to its end: with bounded output, killing all of it on a time-out
//! or when the caller withdraws; or with the streams of this process.

mod attach;
mod child;
mod descriptors;
mod environment;
mod judge;
mod output;
mod program;
mod pump;
mod secrets;
mod signals;
mod start;
mod streams;
mod watch;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use rustix::fs::{Mode, OFlags, open};

use crate::confined::Confined;
use crate::error::RunError;
use crate::options::Used;
use crate::shell::Shell;
use crate::verdict::{Evidence, Verdict};

use attach::Attached;
use child::Child;
pub use environment::Environment;
pub use output::Output;
use pump::{Ended, pump};
pub use signals::Signals;
use start::Started;

/// How a command is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Where it starts.
    pub cwd: PathBuf,
    /// What it finds in its environment; nothing else is passed on.
    pub env: Environment,
    /// What it reads from its input.
    pub stdin: Vec<u8>,
    /// How long it may take.
    pub time_limit: Option<Duration>,
    /// How many bytes of each output are kept: the first half and the last.
    pub output_cap: usize,
    /// By which the caller withdraws.
    pub cancel: Cancel,
}

impl RunOptions {
    /// Without input or time limit, and with at most 1 MiB of each output.
    #[must_use]
    pub fn new(cwd: impl Into<PathBuf>, env: Environment) -> Self {
        Self {
            cwd: cwd.into(),
            env,
            stdin: Vec::new(),
            time_limit: None,
            output_cap: 1 << 20,
            cancel: Cancel::new(),
        }
    }
}

/// How a command is run that has the streams of this process.
#[derive(Clone, Debug)]
pub struct AttachOptions {
    /// Where it starts.
    pub cwd: PathBuf,
    /// What it finds in its environment; nothing else is passed on.
    pub env: Environment,
}

/// A command that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finished {
    /// What became of it.
    pub verdict: Verdict,
    /// Its exit code; absent where a signal ended it, and where it was never started.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What it printed.
    pub stdout: Output,
    /// What it printed as errors.
    pub stderr: Output,
    /// How long it took.
    pub took: Duration,
}

impl Finished {
    /// Whether something that it printed was left out.
    #[must_use]
    pub fn truncated(&self) -> bool {
        self.stdout.dropped > 0 || self.stderr.dropped > 0
    }

    fn without_start(verdict: Verdict) -> Self {
        Self {
            verdict,
            exit: None,
            signal: None,
            stdout: Output::default(),
            stderr: Output::default(),
            took: Duration::ZERO,
        }
    }
}

impl Shell {
    /// Runs a confined command to its end.
    ///
    /// It runs in a session and process group of its own, without a terminal. What it
    /// leaves running in its group (under bubblewrap: at all) is killed when it ends, and
    /// all of it is killed when the time limit passes, the caller withdraws, or the thread
    /// of this call ends. Under Landlock it is restricted in the child itself, and the
    /// launcher is not used.
    ///
    /// # Errors
    /// The directory cannot be entered, the argv is unusable, or the system has no process
    /// or pipe left. A runner that fails is a verdict.
    pub fn run(&self, confined: &Confined, options: &RunOptions) -> Result<Finished, RunError> {
        check(confined)?;
        enter(&options.cwd)?;
        if options.cancel.is_cancelled() {
            return Ok(Finished::without_start(Verdict::Cancelled));
        }
        let start = Instant::now();
        let child = match Child::spawn(confined, options)? {
            Started::Running(child) => child,
            Started::Failed(verdict) => return Ok(Finished::without_start(verdict)),
        };
        let ended = pump(child, options)?;
        let place = (options.cwd.as_path(), &options.env);
        Ok(finished(confined, place, true, ended, start.elapsed()))
    }

    /// Runs a confined command with the streams of this process, to its end. `started` is
    /// handed the way to its processes, and must not wait.
    ///
    /// It has no other descriptor, and ends with the thread of this call. It runs in a
    /// session and process group of its own and has no controlling terminal, so that it
    /// cannot type into the terminal of this process; what it leaves running in its group
    /// (under bubblewrap: at all) is killed when it ends. Without confinement it stays in
    /// the session and group of this process, and what it starts goes on.
    ///
    /// Standard error passes through this process, which keeps its ends in the answer, so
    /// that a denial is seen; a terminal is left to the command. Under bubblewrap a standard
    /// input other than a pipe, a socket or a terminal is copied, because an open file leads
    /// past the view of the disk that bubblewrap makes; a directory is replaced by nothing.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn attach(
        &self,
        confined: &Confined,
        options: &AttachOptions,
        started: impl FnOnce(Signals),
    ) -> Result<Finished, RunError> {
        check(confined)?;
        enter(&options.cwd)?;
        let start = Instant::now();
        let running = match Attached::spawn(confined, options)? {
            Started::Running(running) => running,
            Started::Failed(verdict) => return Ok(Finished::without_start(verdict)),
        };
        started(running.signals());
        let (is_seen, ended) = (running.is_seen, running.wait()?);
        let place = (options.cwd.as_path(), &options.env);
        Ok(finished(confined, place, is_seen, ended, start.elapsed()))
    }
}

fn check(confined: &Confined) -> Result<(), RunError> {
    use std::os::unix::ffi::OsStrExt;
    let mut words = confined.argv.iter();
    let holds_nul = words.any(|word| word.as_bytes().contains(&0));
    match confined.command.first() {
        Some(program) if !program.is_empty() && !holds_nul => Ok(()),
        _ => Err(RunError::Argv),
    }
}

/// Whether the directory can be entered: said before the start, so that it is not taken
/// for a failure of the runner.
fn enter(directory: &Path) -> Result<(), RunError> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match open(directory.join("."), flags, Mode::empty()) {
        Ok(_) => Ok(()),
        Err(errno) => Err(RunError::Directory {
            directory: directory.to_owned(),
            source: errno.into(),
        }),
    }
}

/// Where a command ran, and with which variables.
type Place<'a> = (&'a Path, &'a Environment);

fn finished(
    confined: &Confined,
    place: Place<'_>,
    is_seen: bool,
    ended: Ended,
    took: Duration,
) -> Finished {
    let verdict = match ended.killed {
        Some(why) => why,
        None => verdict(confined, place, is_seen, &ended),
    };
    Finished {
        verdict,
        exit: ended.exit,
        signal: ended.signal,
        stdout: ended.stdout,
        stderr: ended.stderr,
        took,
    }
}

fn verdict(confined: &Confined, place: Place<'_>, is_seen: bool, ended: &Ended) -> Verdict {
    let stderr = String::from_utf8_lossy(&ended.stderr.bytes);
    let evidence = evidence(confined.backend, ended);
    if evidence == Evidence::NotStarted
        && let Some(verdict) = program::missing(confined, place, is_seen.then_some(&*stderr))
    {
        return verdict;
    }
    match confined.classify_with(evidence, ended.exit, &stderr) {
        Verdict::Failed(128) if ended.exit.is_none() => {
            Verdict::Failed(128 + ended.signal.unwrap_or_default())
        }
        Verdict::Denied { code, .. } => match judge::denial(confined, place.0, &stderr) {
            Some(line) => Verdict::Denied { code, line },
            None => Verdict::Failed(code),
        },
        other => other,
    }
}

/// What is known besides what was printed, which a command could print too.
fn evidence(backend: Used, ended: &Ended) -> Evidence {
    match backend {
        // Its report says with which code the command ended, and comes only if it ran.
        Used::Bubblewrap if ended.status.contains("\"exit-code\"") => Evidence::Started,
        // A runner that is killed makes no report of a command that it had started.
        Used::Bubblewrap if ended.exit.is_none() => Evidence::Started,
        Used::Bubblewrap => Evidence::NotStarted,
        // The child was restricted and became its command, or it would not have started.
        Used::Landlock | Used::Nothing => Evidence::Started,
        Used::Seatbelt | Used::Custom => Evidence::None,
    }
}
