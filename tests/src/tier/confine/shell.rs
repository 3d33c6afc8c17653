//! Real commands under a real backend.

use anyhow::{Context, Result};
use dsh_fs::roots::RootRules;
use dsh_fs_confine::{Backend, Environment, RunOptions, Shell, ShellOptions, Verdict};
use serde_json::{Value, json};

use super::machine::{any_command, policy};
use super::wrapper;
use crate::places::Places;

/// Whether the backend that a run needs works here.
pub(super) fn can(op: &Value) -> Result<(), String> {
    let shell = shell(op).map_err(|error| format!("{error:#}"))?;
    any_command(&shell)
        .map(drop)
        .map_err(|refused| refused.to_string())
}

fn shell(op: &Value) -> Result<Shell> {
    let backend = match op["force"].as_str() {
        Some("landlock") => Backend::Landlock,
        Some("bwrap") => Backend::Bubblewrap,
        _ => Backend::Auto,
    };
    Ok(Shell::new(ShellOptions {
        backend,
        landlock_wrapper: wrapper()?,
        ..ShellOptions::default()
    }))
}

/// Runs `command` in a shell, in `cwd` or the workspace. `HOME` is a directory beside it.
pub(super) fn run(op: &Value, places: &Places) -> Result<Value> {
    let shell = shell(op)?;
    let policy = policy(&op["policy"]).context("`policy`")?;
    let script = op["command"].as_str().context("`command`")?;
    places.leaves(script);
    let roots = RootRules::new(None).derive(&policy)?;
    let argv = ["/bin/sh", "-c", script].map(Into::into);
    let confined = shell.confine(&argv, &policy, &roots)?;
    let home = places.base().join("home");
    std::fs::create_dir_all(&home)?;
    let environment = [
        ("PATH", "/usr/bin:/bin".into()),
        ("HOME", home.into_os_string()),
    ];
    let environment = environment.map(|(name, value)| (name.into(), value));
    let cwd = op["cwd"].as_str().unwrap_or(&policy.workspace_root);
    let options = RunOptions::new(cwd, Environment::exactly(environment));
    let finished = shell.run(&confined, &options)?;
    let denied = matches!(finished.verdict, Verdict::Denied { .. });
    Ok(json!({
        "ok": finished.verdict == Verdict::Succeeded,
        "stdout": finished.stdout.text(),
        "denied_signature_seen": denied,
        "started": !matches!(
            finished.verdict,
            Verdict::RunnerFailed(_) | Verdict::NoProgram { .. }
        ),
    }))
}
