//! The schema of the bug reports: files, operations of one or several actors, and what
//! must come of it, partly in words.
//!
//! Paths are below `$BASE`; an operation that names a `root` runs in a session there. A
//! successful change of a file that nobody had read is preceded by that read, which the
//! reports leave out. Words that this reader does not know make the vector a skipped one.

mod files;
mod results;
mod shell;
mod steps;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::{edit, text};
use crate::case::{Case, Given, PolicyGiven};
use files::files;
use steps::steps;

/// What an operation may say; anything else needs something that is not there.
const FIELDS: [&str; 17] = [
    "op", "ops", "path", "old", "new", "content", "root", "roots", "mode", "actor", "session",
    "agent", "do", "after", "request", "policy", "edits",
];

/// Reads a bug report.
pub(super) fn read(value: &Value) -> Result<Case> {
    let repro = &value["repro"];
    let ops = repro["ops"].as_array().context("`repro.ops` is a list")?;
    let expect = repro["expect"]
        .as_object()
        .context("`repro.expect` is an object")?;
    let mut case = Case {
        id: text(value, "id").or_else(|_| text(value, "ref"))?,
        given: given(repro, ops)?,
        steps: Vec::new(),
        files: Map::new(),
        unchanged: false,
        needs: None,
        tiers: None,
        exact: true,
        line: String::new(),
    };
    if let Some(told) = shell::steps(value, ops, expect) {
        match told {
            Ok(steps) => case.steps = steps,
            Err(reason) => case.needs = Some(reason),
        }
        case.files = files(repro, expect).unwrap_or_default();
        // Root reads what nobody may.
        case.given.unprivileged = repro["files"]
            .as_array()
            .is_some_and(|files| files.iter().any(|file| file["mode"] == "0000"));
        return Ok(case);
    }
    case.needs = elsewhere(value, ops);
    if case.needs.is_none() {
        let told = files(repro, expect).and_then(|files| {
            case.files = files;
            steps(repro, ops, expect)
        });
        match told {
            Ok(steps) => case.steps = steps,
            Err(reason) => case.needs = Some(reason),
        }
    }
    Ok(case)
}

fn given(repro: &Value, ops: &[Value]) -> Result<Given> {
    let first = |field: &str| ops.iter().find_map(|op| op[field].as_str());
    let below = |dir: &str| format!("$BASE/{dir}");
    let several = ops
        .iter()
        .find_map(|op| op["roots"].as_array())
        .into_iter()
        .flatten();
    let several: Vec<String> = several.filter_map(Value::as_str).map(below).collect();
    let cwd = first("root").map_or("$BASE".to_owned(), below);
    let root = several.first().cloned().unwrap_or_else(|| cwd.clone());
    Ok(Given {
        base: edit::tree(&repro["files"])?,
        gate: true,
        policy: Some(PolicyGiven {
            mode: Some(first("mode").unwrap_or("workspace-write").to_owned()),
            workspace_root: Some(root),
            extra_roots: several,
            temporary: None,
            protected: Vec::new(),
            deny_read: ops.iter().filter_map(denied).map(below).collect(),
        }),
        approval: first("request").map(|_| "allowed-once".to_owned()),
        session_cwd: Some(Some(cwd)),
        ..Given::default()
    })
}

/// The path of `deny PATH`, the policy of an operation.
fn denied(op: &Value) -> Option<&str> {
    op["policy"].as_str()?.strip_prefix("deny ")
}

/// What keeps a report from being run here.
fn elsewhere(value: &Value, ops: &[Value]) -> Option<String> {
    let windows =
        |text: &str| text.contains(":\\") || text.starts_with("\\\\") || text.contains(":/");
    for op in ops {
        let verb = op["op"].as_str().unwrap_or("");
        if ["path", "root"]
            .iter()
            .any(|field| op[*field].as_str().is_some_and(windows))
        {
            return Some("the operating system windows".to_owned());
        }
        match verb {
            "read"
            | "write"
            | "edit"
            | edit::MULTI
            | "list"
            | "lstat"
            | "external"
            | "parallel" => {}
            other => return Some(format!("the operation {other}")),
        }
        if op.get("policy").is_some() && denied(op).is_none() {
            return Some("the circumstance policy".to_owned());
        }
        let unknown = op
            .as_object()?
            .keys()
            .find(|field| !FIELDS.contains(&field.as_str()));
        if let Some(unknown) = unknown {
            return Some(match unknown.as_str() {
                "race" => "a second actor during the call".to_owned(),
                other => format!("the circumstance {other}"),
            });
        }
    }
    let folds = value["kind"] == "case-folding" && value["platform"] == "macos";
    folds.then(|| "a file system that folds case".to_owned())
}
