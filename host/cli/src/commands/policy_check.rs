//! `dsh-fs policy check`: what the file of a deployment resolves to on this machine.

use std::path::Path;

use anyhow::anyhow;
use dsh_fs::name::shown;
use dsh_fs::roots::Roots;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_harness::deployment::{ConfigError, Deployment, Problem};
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::exit::{Failure, Reason};
use crate::output::say;
use crate::paint::Paint;

/// Reads the file as a session would, and prints everything that follows from it.
pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    let checked = Deployment::read(&args.file);
    let deployment = match checked {
        Ok(deployment) => deployment,
        Err(error) => {
            if args.json {
                let problems: Vec<_> = error.problems().iter().map(problem).collect();
                say!("{:#}", json!({ "ok": false, "problems": problems }))?;
            }
            return Err(failed(&error));
        }
    };
    let told = resolved(&deployment)?;
    match args.json {
        true => say!("{told:#}"),
        false => print(&told),
    }
}

fn failed(error: &ConfigError) -> Failure {
    Failure::new(Reason::Config, anyhow!("{error}"))
}

fn problem(problem: &Problem) -> Value {
    json!({
        "code": problem.code.name(),
        "file": problem.file,
        "line": problem.place.map(|(line, _)| line),
        "column": problem.place.map(|(_, column)| column),
        "key": problem.key,
        "message": problem.message,
    })
}

fn resolved(deployment: &Deployment) -> Result<Value, Failure> {
    let workspace = deployment.workspace.as_deref();
    let policy = ExecutionPolicy {
        mode: Mode::WorkspaceWrite,
        workspace_root: workspace.map(text).unwrap_or_default(),
        session_id: None,
    };
    let rules = deployment.rules(None).map_err(|error| failed(&error))?;
    let roots = rules
        .derive(&policy)
        .map_err(|error| Failure::new(Reason::Workspace, error))?;
    Ok(json!({
        "ok": true,
        "file": deployment.file.as_deref().map(text),
        "mode": deployment.mode.name(),
        "workspace": workspace.map(place),
        "roots": deployment.roots.iter().map(|root| place(root)).collect::<Vec<_>>(),
        "tempRoots": deployment.temp_roots,
        "writableRoots": roots.texts(),
        "protected": roots.protected_paths(),
        "denyRead": denied(&roots),
        "escalation": escalation(deployment),
        "shell": {
            "backend": deployment.shell.backend.name(),
            "onPartial": deployment.shell.on_partial.name(),
            "runner": deployment.shell.runner.as_ref().map(|runner| &runner.argv),
        },
        "history": deployment.history.name(),
        "auditFailure": deployment.audit_failure.name(),
        "inPlace": deployment.in_place,
    }))
}

/// A directory as it was written, and the one that it is.
fn place(path: &Path) -> Value {
    let canonical = path.canonicalize().ok().filter(|found| found.is_dir());
    json!({ "path": text(path), "canonical": canonical.as_deref().map(text) })
}

fn denied(roots: &Roots) -> Vec<Value> {
    let rules = roots.deny_read().iter().filter(|rule| !rule.is_own());
    let place = |place: &[u8]| dsh_fs::name::to_text(place);
    rules
        .map(|rule| {
            json!({
                "pattern": rule.pattern(),
                "beneath": place(rule.place()),
                "whole": rule.is_whole(),
            })
        })
        .collect()
}

fn escalation(deployment: &Deployment) -> Vec<Value> {
    let rules = deployment.escalation.iter();
    rules
        .map(|rule| {
            json!({
                "session": rule.session(),
                "to": rule.to().map(Mode::name),
                "answer": rule.answer().name(),
            })
        })
        .collect()
}

fn text(path: &Path) -> String {
    dsh_fs::name::to_text(path.as_os_str().as_encoded_bytes())
}

/// The same for people, a line a fact.
fn print(told: &Value) -> Result<(), Failure> {
    let paint = Paint::stdout();
    let line = |name: &str, value: &str| {
        let name = format!("{name:<16}");
        say!("{} {value}", paint.bold(&name))
    };
    let word = |value: &Value| shown(value.as_str().unwrap_or(""));
    line("file", &word(&told["file"]))?;
    line("mode", &word(&told["mode"]))?;
    line("workspace", &directory(&told["workspace"]))?;
    for root in items(&told["roots"]) {
        line("root", &directory(root))?;
    }
    for (name, field) in [("writable", "writableRoots"), ("read-only", "protected")] {
        for path in items(&told[field]) {
            line(name, &word(path))?;
        }
    }
    for rule in items(&told["denyRead"]) {
        let (pattern, place) = (word(&rule["pattern"]), word(&rule["beneath"]));
        line("unreadable", &format!("{pattern} (at or beneath {place})"))?;
    }
    for rule in items(&told["escalation"]) {
        let to = rule["to"].as_str().unwrap_or("any mode");
        let (session, answer) = (word(&rule["session"]), word(&rule["answer"]));
        line("escalation", &format!("{session} to {to}: {answer}"))?;
    }
    line("escalation", "any other: ask")?;
    let shell = &told["shell"];
    let partial = word(&shell["onPartial"]);
    let backend = word(&shell["backend"]);
    line(
        "shell",
        &format!("{backend}; where that is partial: {partial}"),
    )?;
    line("old texts", &word(&told["history"]))?;
    line("audit failure", &word(&told["auditFailure"]))?;
    let in_place = if told["inPlace"] == true { "yes" } else { "no" };
    line("in place", in_place)
}

fn directory(place: &Value) -> String {
    let text = |field: &str| place[field].as_str().map(shown);
    match (text("path"), text("canonical")) {
        (None, _) => "as the command line says".to_owned(),
        (Some(path), None) => format!("{path} (missing: contains nothing)"),
        (Some(path), Some(canonical)) if path == canonical => path,
        (Some(path), Some(canonical)) => format!("{path} (is {canonical})"),
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
