//! The schema of the weaknesses: what the reference does badly, and in words what is better.
//!
//! The operations are one-field shorthands (`{"read": "f"}`). Of the words only a few have
//! one meaning (a code, `works`, `same (keep)` with codes in the reference's result); the
//! rest makes the vector a skipped one, and `tests/vectors/weaknesses.jsonl` states it in
//! the schema of our own vectors.

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::text;
use super::verdicts::{fails, succeeds};
use crate::case::{Case, Given, PolicyGiven, Step};

/// Reads a weakness.
pub(super) fn read(value: &Value) -> Result<Case> {
    let better = text(value, "better_result")?;
    let mut case = Case {
        id: text(value, "id")?,
        given: Given::default(),
        steps: Vec::new(),
        files: Map::new(),
        unchanged: false,
        needs: None,
        tiers: None,
        exact: true,
        line: String::new(),
    };
    match given(&value["given"]).and_then(|given| Ok((given, steps(value, &better)?))) {
        Ok((given, steps)) => {
            case.given = given;
            case.steps = steps;
            if better == DENY_READ {
                let policy = case.given.policy.get_or_insert_default();
                policy.deny_read = read_paths(&value["do"]);
            }
        }
        Err(reason) => case.needs = Some(reason),
    }
    Ok(case)
}

/// The better result of reads that nothing denies: rules that deny just these.
const DENY_READ: &str = "deny-read rules";

fn read_paths(ops: &Value) -> Vec<String> {
    let ops = ops.as_array().into_iter().flatten();
    let paths = ops.filter_map(|op| op["read"].as_str());
    paths.map(str::to_owned).collect()
}

fn given(value: &Value) -> Result<Given, String> {
    let mut given = Given {
        gate: value["policy"] != "none",
        policy: Some(PolicyGiven {
            mode: Some("workspace-write".to_owned()),
            ..Default::default()
        }),
        ..Given::default()
    };
    for (field, stated) in value.as_object().into_iter().flatten() {
        match (field.as_str(), stated.as_str()) {
            ("files", _) => files(&mut given, stated)?,
            ("policy", Some("none")) => given.policy = None,
            ("policy", None) => {
                let policy = serde_json::from_value(stated.clone());
                given.policy = Some(policy.map_err(|error| error.to_string())?);
            }
            ("mode", Some(mode)) => {
                given.policy.get_or_insert_default().mode = Some(mode.to_owned());
            }
            ("as", Some("nobody")) => given.unprivileged = true,
            ("as", Some("root")) => given.privileged = true,
            ("umask", Some("0022")) => {}
            _ => return Err(format!("the circumstance {field}")),
        }
    }
    Ok(given)
}

fn files(given: &mut Given, files: &Value) -> Result<(), String> {
    let spread = files.as_object().is_some_and(|files| {
        files
            .keys()
            .any(|path| path.starts_with("ws/") || path.starts_with("out/"))
    });
    for (path, stated) in files.as_object().into_iter().flatten() {
        let node = node(stated).ok_or_else(|| format!("content in words: {stated}"))?;
        if path.starts_with('<') {
            return Err(format!("a name in words: {path}"));
        }
        let tree = if spread {
            &mut given.base
        } else {
            &mut given.ws
        };
        tree.insert(path.clone(), node);
    }
    Ok(())
}

fn node(stated: &Value) -> Option<Value> {
    let Some(fields) = stated.as_object() else {
        return match stated.as_str()? {
            "fifo" => Some(json!({"fifo": true})),
            "dir" => Some(json!({"dir": true})),
            text if text.contains(' ') || text.contains('\\') => None,
            text => Some(json!(text)),
        };
    };
    let mut node = Map::new();
    for (field, value) in fields {
        let name = match field.as_str() {
            "symlink" => "link",
            "hardlink" => "hard",
            "bytes_hex" => "hex",
            "mode" | "owner" => field,
            _ => return None,
        };
        let value = if value == "nobody" {
            json!("65534:65534")
        } else {
            value.clone()
        };
        node.insert(name.to_owned(), value);
    }
    let content = ["link", "hard", "hex"];
    if node.get("mode").is_some_and(|_| node.len() == 1) && node["mode"] == "0555" {
        node.insert("dir".to_owned(), json!(true));
        return Some(Value::Object(node));
    }
    if !content.iter().any(|field| node.contains_key(*field)) {
        node.insert("text".to_owned(), json!("one"));
    }
    Some(Value::Object(node))
}

fn steps(value: &Value, better: &str) -> Result<Vec<Step>, String> {
    let ops = value["do"].as_array().ok_or("`do` is a list")?;
    let mut steps: Vec<Step> = Vec::new();
    for op in ops {
        let (verb, path) = verb_of(op).ok_or_else(|| format!("the operation {op}"))?;
        if unread(value, verb, path, &steps) {
            steps.push(Step::new(
                call(&json!({"read": path}), "read", path)?,
                json!("-"),
            ));
        }
        steps.push(Step::new(call(op, verb, path)?, json!("-")));
    }
    let kept = value["reference_result"].as_str().unwrap_or("");
    let told = judge(better, kept, ops.len())?;
    for (step, expect) in steps.iter_mut().rev().zip(told.into_iter().rev()) {
        step.expect = expect;
    }
    Ok(steps)
}

/// Whether a change goes to a given file that no operation has read: the reports leave the
/// read out.
fn unread(value: &Value, verb: &str, path: &str, steps: &[Step]) -> bool {
    let given = value["given"]["files"].get(path).is_some();
    let read = steps.iter().any(|step| step.op["name"] == "read");
    given && !read && matches!(verb, "edit" | "write")
}

fn verb_of(op: &Value) -> Option<(&str, &str)> {
    ["read", "write", "edit", "list", "fs.writeText"]
        .into_iter()
        .find_map(|verb| Some((verb, op[verb].as_str()?)))
}

fn call(op: &Value, verb: &str, path: &str) -> Result<Value, String> {
    let described = path.starts_with('<') || path.contains(" chars") || path.contains(" x ");
    if described || path.contains("whose") {
        return Err(format!("a name in words: {path}"));
    }
    let path = super::words::unescaped(path);
    let known = [
        "old",
        "new",
        "content",
        "limit",
        "offset",
        "sandbox_permissions",
        "justification",
    ];
    let fields = op.as_object().into_iter().flatten();
    if let Some((other, _)) = fields
        .into_iter()
        .find(|(field, _)| field.as_str() != verb && !known.contains(&field.as_str()))
    {
        return Err(format!("the circumstance {other}"));
    }
    if verb == "fs.writeText" {
        return Ok(json!({"op": "write", "path": path, "content": "new"}));
    }
    let mut args = op.clone();
    let object = args.as_object_mut().ok_or("an operation is an object")?;
    object.remove(verb);
    object.insert("path".to_owned(), json!(path));
    if verb == "write" && !object.contains_key("content") {
        object.insert("content".to_owned(), json!("new"));
    }
    if verb == "edit" && !object.contains_key("old") {
        object.insert("old".to_owned(), json!("one"));
        object.insert("new".to_owned(), json!("two"));
    }
    Ok(super::edit::call(verb, &args))
}

/// The results that the words ask of the last operations.
fn judge(better: &str, reference: &str, count: usize) -> Result<Vec<Value>, String> {
    if better == "works" || better == "done" {
        return Ok(vec![succeeds()]);
    }
    if better == DENY_READ {
        return Ok(vec![fails(&["FS_SANDBOX_DENIED"]); count]);
    }
    if better == "same (keep)" {
        let told: Vec<Value> = reference.split("; ").take(count).filter_map(kept).collect();
        return (told.len() == count)
            .then_some(told)
            .ok_or_else(|| words(better));
    }
    let code = crate::codes::named_in(better)
        .context("no code")
        .map_err(|_| words(better))?;
    if code == "FS_PERMISSION_DENIED" || count == 1 {
        return Ok(vec![fails(&[code]); count]);
    }
    Err(words(better))
}

/// `read: ok`, `write: FS_SANDBOX_DENIED: ...` as a result.
fn kept(told: &str) -> Option<Value> {
    let (_, result) = told.split_once(": ")?;
    match crate::codes::named_in(result) {
        Some(code) => Some(fails(&[code])),
        None => (result == "ok").then(succeeds),
    }
}

fn words(better: &str) -> String {
    format!("an expectation in words: {better}")
}
