//! The operations of a bug report, with the reads that it leaves out.

use serde_json::{Map, Value, json};

use super::results::{judge, last, succeeds_if};
use crate::case::Step;
use crate::dialect::verdicts::fails;
use crate::dialect::{edit, words};

/// The operations with the results that the words ask for.
pub(super) fn steps(
    repro: &Value,
    ops: &[Value],
    expect: &Map<String, Value>,
) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for op in ops {
        let path = op["path"].as_str().unwrap_or("");
        if op["op"] == "external" {
            steps.extend(outside(repro, op)?);
            continue;
        }
        if op["op"] == "parallel" {
            steps.extend(at_once(op));
            continue;
        }
        if before(repro, op, ops, expect) && !has_read(&steps, path) {
            steps.push(Step::new(
                call(&json!({"op": "read", "path": path}), op),
                json!("-"),
            ));
        }
        steps.push(Step::new(call(op, op), json!("-")));
    }
    match expect
        .get("result")
        .map(|result| result.as_str().unwrap_or(""))
    {
        Some("by documented choice") if hard_linked(repro) => {
            last(
                &mut steps,
                fails(&["FS_PERMISSION_DENIED", "FS_NOT_OBSERVED"]),
            );
        }
        Some(result) => judge(&mut steps, result)?,
        None => last(&mut steps, succeeds_if(repro, expect)),
    }
    Ok(steps)
}

/// Calls at once, of one session that has read every file.
fn at_once(op: &Value) -> Vec<Step> {
    let ops = op["ops"].as_array().cloned().unwrap_or_default();
    let mut paths: Vec<&str> = ops.iter().filter_map(|op| op["path"].as_str()).collect();
    paths.dedup();
    let read = |path: &&str| call(&json!({"op": "read", "path": path}), op);
    let mut steps: Vec<Step> = paths
        .iter()
        .map(|path| Step::new(read(path), json!("-")))
        .collect();
    let calls: Vec<Value> = ops.iter().map(|op| call(op, op)).collect();
    steps.push(Step::new(json!({"op": "all", "ops": calls}), json!("-")));
    steps
}

fn hard_linked(repro: &Value) -> bool {
    repro["files"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|file| file.get("hardlink").is_some())
}

fn call(op: &Value, of: &Value) -> Value {
    let verb = op["op"].as_str().unwrap_or("");
    if verb == "lstat" {
        return json!({"op": "lstat", "path": format!("$BASE/{}", op["path"].as_str().unwrap_or(""))});
    }
    if verb == edit::MULTI {
        return edit::multi_edit(&parts(op));
    }
    let mut args = Map::new();
    for field in ["path", "old", "new", "content"] {
        if let Some(value) = op[field].as_str() {
            args.insert(field.to_owned(), json!(value));
        }
    }
    let mut call = edit::call(verb, &Value::Object(args));
    if let Some(mode) = op["request"].as_str() {
        call["args"]["sandbox_permissions"] = json!(mode);
        call["args"]["justification"] = json!("the task needs it");
    }
    let actor = ["session", "actor", "agent"]
        .iter()
        .find_map(|field| of[*field].as_str());
    if let Some(actor) = actor {
        call["session"] = json!(actor);
    }
    call
}

/// Several edits of one file, as pairs of old and new text.
fn parts(op: &Value) -> Vec<Value> {
    let pairs = op["edits"].as_array().into_iter().flatten();
    pairs
        .map(|pair| json!({"path": op["path"], "old": pair[0], "new": pair[1]}))
        .collect()
}

fn outside(repro: &Value, op: &Value) -> Result<Vec<Step>, String> {
    let only = repro["files"][0]["path"].as_str();
    let told = op["do"].as_str().unwrap_or("");
    if told == "compact the conversation" {
        return Ok(vec![Step::new(json!({"op": "resume"}), json!("-"))]);
    }
    let ops = words::change(told, only).ok_or_else(|| format!("outside: {told}"))?;
    let below = |mut op: Value| {
        let path = op["path"].as_str().unwrap_or("").to_owned();
        op["path"] = json!(format!("$BASE/{path}"));
        Step::new(op, json!("-"))
    };
    Ok(ops.into_iter().map(below).collect())
}

/// Whether a read of the file goes before this operation although no operation says so:
/// it is said (`after`), or the change is expected to be made.
fn before(repro: &Value, op: &Value, ops: &[Value], expect: &Map<String, Value>) -> bool {
    if op.get("after").is_some() {
        return true;
    }
    let path = op["path"].as_str().unwrap_or("");
    let mutates = op["op"] == "edit" || op["op"] == "write";
    let meant = path.trim_start_matches("$BASE/");
    let old = repro["files"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|file| file["path"] == meant);
    let changes = old.is_some_and(|old| {
        expect
            .get(meant)
            .is_some_and(|new| new.is_string() && *new != old["content"])
    });
    mutates && changes && !expect.contains_key("result") && ops.len() == 1
}

fn has_read(steps: &[Step], path: &str) -> bool {
    steps
        .iter()
        .any(|step| step.op["name"] == "read" && step.op["args"]["file_path"] == path)
        && !steps.iter().any(|step| step.op.get("session").is_some())
}
