//! Operations on confined commands: on a machine that the vector describes, and for real.

mod machine;
mod shell;

use std::ffi::OsString;
use std::process::Command;

use anyhow::{Context, Result};
use dsh_fs::types::Mode;
use dsh_fs_confine::{
    Backend, FailureRule, Machine, Probe, Runner, Shell, ShellOptions, Unavailable, Used, Verdict,
    runner_failure,
};
use serde_json::{Value, json};

pub(super) use machine::writable;

use crate::places::Places;
use crate::unprivileged;

/// The operations.
pub(super) const KNOWN: [&str; 9] = [
    "confine",
    "unavailable-error",
    "load",
    "classify-failure",
    "classify-denial",
    "launcher",
    "run-confined",
    "shell",
    "probe",
];

/// Whether an operation is one of these.
pub(super) fn is(op: &Value) -> bool {
    let name = op["op"].as_str().unwrap_or("");
    KNOWN.contains(&name) && (name != "load" || op["plugin"] == "sandbox-local")
}

/// Whether one of them can be performed here, or why not.
pub(super) fn can(op: &Value) -> Result<(), String> {
    match op["op"].as_str() {
        Some("launcher" | "probe") => Machine.landlock().map(drop),
        Some("run-confined" | "shell") => shell::can(op),
        _ => Ok(()),
    }
}

/// Performs one.
pub(super) fn perform(op: &Value, places: &Places) -> Result<Value> {
    let op = &places.fill_value(op);
    match op["op"].as_str() {
        Some("confine") => machine::confine(op),
        Some("unavailable-error") => Ok(unavailable(op)),
        Some("load") => Ok(load(op)),
        Some("classify-failure") => classify_failure(op),
        Some("classify-denial") => classify_denial(op),
        Some("launcher") => launcher(op),
        Some("probe") => Ok(json!({"landlock": Machine.landlock().is_ok()})),
        _ => shell::run(op, places),
    }
}

/// The program of the vectors, as a launcher.
fn wrapper() -> Result<Vec<OsString>> {
    Ok(vec![
        unprivileged::program()?.into(),
        "landlock-exec".into(),
    ])
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn refusal(refused: &Unavailable) -> Value {
    json!({"code": Unavailable::CODE, "message": refused.to_string()})
}

fn unavailable(op: &Value) -> Value {
    let mode = Mode::from_name(op["mode"].as_str().unwrap_or("")).unwrap_or(Mode::ReadOnly);
    refusal(&Unavailable::after(
        mode,
        op["detail"].as_str().map(str::to_owned),
    ))
}

/// A configuration is refused when it is made; a probe without time refuses every command.
fn load(op: &Value) -> Value {
    let config = &op["config"];
    let command = texts(&config["runnerCommand"]);
    let signatures = texts(&config["runnerFailureSignatures"]);
    if config["probeTimeoutMs"] == 0 {
        let options = ShellOptions {
            backend: Backend::Bubblewrap,
            probe_timeout: std::time::Duration::ZERO,
            ..ShellOptions::default()
        };
        return match machine::any_command(&Shell::new(options)) {
            Ok(_) => json!({"loaded": true}),
            Err(refused) => json!({"refused": refused.to_string()}),
        };
    }
    if command.is_empty() && signatures.is_empty() {
        return json!({"loaded": true});
    }
    match Runner::new(
        command.into_iter().map(OsString::from).collect(),
        signatures,
    ) {
        Ok(_) => json!({"loaded": true}),
        Err(refused) => json!({"refused": refused.to_string()}),
    }
}

fn exit(op: &Value) -> Option<i32> {
    op["exit"]
        .as_i64()
        .and_then(|code| i32::try_from(code).ok())
}

fn classify_failure(op: &Value) -> Result<Value> {
    let rules = match op["rules"].as_array() {
        Some(rules) => rules.iter().map(rule).collect(),
        None => machine::with(used(op)?)?.failure_rules,
    };
    let stderr = op["stderr"].as_str().context("`stderr`")?;
    Ok(json!(runner_failure(&rules, exit(op), stderr)))
}

fn rule(value: &Value) -> FailureRule {
    let codes = value["allowedExitCodes"].as_array();
    let code = |code: &Value| code.as_i64().and_then(|code| i32::try_from(code).ok());
    FailureRule {
        allowed_exit_codes: codes.map(|codes| codes.iter().filter_map(code).collect()),
        fatal_signatures: texts(&value["fatalSignatures"]),
        informational_lines: texts(&value["informationalLines"]),
    }
}

fn classify_denial(op: &Value) -> Result<Value> {
    let Ok(used) = used(op) else {
        return Ok(json!("a backend of another system"));
    };
    let stderr = op["stderr"].as_str().context("`stderr`")?;
    let verdict = machine::with(used)?.classify(exit(op), stderr);
    Ok(json!(matches!(verdict, Verdict::Denied { .. })))
}

fn used(op: &Value) -> Result<Used> {
    let name = op["backend"].as_str().context("`backend`")?;
    machine::used(name).with_context(|| format!("the backend {name}"))
}

fn launcher(op: &Value) -> Result<Value> {
    let wrapper = wrapper()?;
    let mut command = Command::new(&wrapper[0]);
    command.args(&wrapper[1..]).args(texts(&op["args"]));
    let output = command.output().context("the launcher")?;
    Ok(json!({
        "status": output.status.code(),
        "stdout": String::from_utf8_lossy(&output.stdout),
        "stderr": String::from_utf8_lossy(&output.stderr),
    }))
}
