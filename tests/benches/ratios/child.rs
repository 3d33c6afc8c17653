//! Processes of their own, for what cannot be measured from inside: peaks of memory, and
//! starting.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::{large, million, sessions, start};

/// Runs the part of this program that a child is for.
pub(crate) fn run(name: &str, place: Option<&Path>) -> Result<()> {
    let place = || place.context("this child works on a place");
    match name {
        "edit" => large::edit_child(place()?),
        "window" => large::window_child(place()?),
        "gate" => start::gate_child(),
        "session" => start::session_child(place()?),
        "sessions" => sessions::child(place()?),
        "targets" => million::child(),
        other => bail!("no such child: {other}"),
    }
}

/// The command that starts a child.
pub(crate) fn command(name: &str, place: Option<&Path>) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--child", name]).stdout(Stdio::null());
    if let Some(place) = place {
        command.arg("--place").arg(place);
    }
    Ok(command)
}

/// The number that a child prints.
pub(crate) fn number(name: &str, place: Option<&Path>) -> Result<f64> {
    let output = command(name, place)?
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "child {name}: {}", output.status);
    let printed = String::from_utf8(output.stdout)?;
    Ok(printed.trim().parse()?)
}

/// Memory of this process in bytes: `VmRSS` now, `VmHWM` at its peak.
pub(crate) fn memory(field: &str) -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))
        .with_context(|| format!("no {field}"))?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes * 1024.0)
}

/// Sets the peak back to what is used now.
pub(crate) fn forget_peak() -> Result<()> {
    Ok(std::fs::write("/proc/self/clear_refs", "5")?)
}
