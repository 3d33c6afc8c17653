//! Runs a vector as an ordinary user: root starts the runner again under another user.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result};

use crate::case::Case;
use crate::run::{Options, Verdict};
use crate::tier::Tier;

/// The user and the group nobody.
const NOBODY: u32 = 65_534;

/// The runner, where this process is not it.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the runner for a process that is another program.
pub fn run_others_by(program: &str) {
    PROGRAM.get_or_init(|| PathBuf::from(program));
}

/// Whether this process is root.
#[must_use]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a vector in a process of its own as `nobody`.
#[must_use]
pub fn rerun(case: &Case, tier: Tier, options: &Options) -> Verdict {
    match child(case, tier, options) {
        Ok(verdict) => verdict,
        Err(error) => Verdict::Skipped(format!("no ordinary user to run as: {error:#}")),
    }
}

/// The program that takes `--as-child`: this one, or the one that the suites name.
pub fn program() -> Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    std::env::current_exe().context("the path of the runner")
}

fn child(case: &Case, tier: Tier, options: &Options) -> Result<Verdict> {
    // The program is opened by root and run through the descriptor, because the folder
    // that it is in may be closed to other users.
    let program = std::fs::File::open(program()?)?;
    rustix::io::fcntl_setfd(&program, rustix::io::FdFlags::empty())?;
    let through = format!(
        "/proc/self/fd/{}",
        std::os::fd::AsRawFd::as_raw_fd(&program)
    );
    let mut command = Command::new(through);
    command.args(["--as-child", "--tier", tier.name(), "--only", &case.id, "-"]);
    if let Some(base) = &options.base {
        command.arg("--base").arg(base);
    }
    command
        .uid(NOBODY)
        .gid(NOBODY)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut running = command.stderr(Stdio::piped()).current_dir("/").spawn()?;
    let mut input = running.stdin.take().context("the input of the child")?;
    input.write_all(case.line.as_bytes())?;
    drop(input);
    let output = running.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(read_verdict(
        &text,
        &String::from_utf8_lossy(&output.stderr),
    ))
}

fn read_verdict(output: &str, errors: &str) -> Verdict {
    let last = output.lines().last().unwrap_or_default();
    if last.starts_with("1 passed") {
        return Verdict::Passed;
    }
    let told = output.lines().next().unwrap_or_default();
    if last.contains("1 skipped") {
        return Verdict::Skipped(told.to_owned());
    }
    Verdict::Failed(format!("as nobody: {told} {errors}"))
}

/// Sets the umask that expectations of modes are written for: 022.
pub fn usual_umask() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
}
