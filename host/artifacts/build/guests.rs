//! Runs a second cargo that builds the guests for wasm32.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::variable;

const TARGET: &str = "wasm32-unknown-unknown";

/// The core modules that cargo made.
#[allow(
    dead_code,
    reason = "the build script of tests/ builds packages of its own"
)]
pub(crate) struct Built {
    pub(crate) gate: PathBuf,
    pub(crate) toolbox: PathBuf,
    pub(crate) texts: PathBuf,
    pub(crate) disk: PathBuf,
    pub(crate) nobody: PathBuf,
    pub(crate) command: PathBuf,
}

/// Where the guests are built: one folder for every build script and profile of the
/// workspace, beside those of the profiles. Not the outer target folder itself, whose
/// lock the outer cargo holds.
pub(crate) fn folder(out: &Path) -> PathBuf {
    let build = out.ancestors().nth(2);
    match build.filter(|folder| folder.ends_with("build")) {
        Some(build) => build.join("../../guests"),
        None => out.join("guests"),
    }
}

/// Builds the guests.
#[allow(
    dead_code,
    reason = "the build script of tests/ builds packages of its own"
)]
pub(crate) fn build(workspace: &Path, target_dir: &Path) -> Result<Built> {
    let guests = [
        "dsh-fs-gate",
        "dsh-fs-tools",
        "dsh-fs-texts",
        "dsh-fs-disk",
        "dsh-fs-nobody",
        "dsh-fs-command",
    ];
    let folder = packages(workspace, target_dir, &guests)?;
    Ok(Built {
        gate: folder.join("dsh_fs_gate.wasm"),
        toolbox: folder.join("dsh_fs_tools.wasm"),
        texts: folder.join("dsh_fs_texts.wasm"),
        disk: folder.join("dsh_fs_disk.wasm"),
        nobody: folder.join("dsh_fs_nobody.wasm"),
        command: folder.join("dsh_fs_command.wasm"),
    })
}

/// Builds packages of the workspace; the answer is the folder of the core modules.
pub(crate) fn packages(workspace: &Path, target_dir: &Path, packages: &[&str]) -> Result<PathBuf> {
    require_target()?;
    let status = command(workspace, target_dir, packages)?
        .status()
        .context("cannot start cargo for the guests")?;
    if !status.success() {
        bail!("building the guests failed ({status}); cargo's own messages are above");
    }
    Ok(target_dir.join(TARGET).join("guest"))
}

fn command(workspace: &Path, target_dir: &Path, packages: &[&str]) -> Result<Command> {
    let mut cargo = Command::new(variable("CARGO")?);
    scrub(&mut cargo);
    cargo
        .current_dir(workspace)
        .args(["build", "--locked"])
        .args(packages.iter().flat_map(|package| ["-p", package]))
        .args(["--target", TARGET, "--profile", "guest", "--target-dir"])
        .arg(target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags(workspace)?);
    Ok(cargo)
}

/// Removes what the outer cargo, clippy or a coverage tool set for the host: flags and
/// wrappers that would change the guests, and a job server that is not ours.
fn scrub(cargo: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let kept = matches!(text.as_ref(), "CARGO_HOME" | "CARGO_NET_OFFLINE");
        let foreign = text.starts_with("CARGO")
            || text.starts_with("CLIPPY_")
            || text.starts_with("RUSTC")
            || matches!(
                text.as_ref(),
                "RUSTFLAGS" | "RUSTDOCFLAGS" | "MAKEFLAGS" | "MFLAGS"
            );
        if foreign && !kept {
            cargo.env_remove(&name);
        }
    }
}

/// Panic messages carry paths of source files: they are replaced by names that are the
/// same on every machine, so that equal sources give equal bytes.
fn flags(workspace: &Path) -> Result<OsString> {
    let mut flags = OsString::new();
    for (from, to) in [
        (workspace.to_path_buf(), "/dsh-fs"),
        (cargo_home()?, "/cargo"),
    ] {
        if !flags.is_empty() {
            flags.push("\u{1f}");
        }
        flags.push("--remap-path-prefix=");
        flags.push(from.as_os_str());
        flags.push("=");
        flags.push(to);
    }
    Ok(flags)
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = env::var_os("CARGO_HOME") {
        return Ok(PathBuf::from(home));
    }
    let home = env::home_dir().context("neither CARGO_HOME nor a home folder is known")?;
    Ok(home.join(".cargo"))
}

/// Says which command adds the target, instead of letting a hundred errors say it.
fn require_target() -> Result<()> {
    let output = Command::new(variable("RUSTC")?)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("cannot start rustc")?;
    let folder = String::from_utf8_lossy(&output.stdout);
    let installed = fs::read_dir(folder.trim()).is_ok_and(|mut entries| entries.next().is_some());
    if !installed {
        bail!("the target {TARGET} is not installed; run: rustup target add {TARGET}");
    }
    Ok(())
}
