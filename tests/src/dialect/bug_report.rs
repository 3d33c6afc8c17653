//! The schema of the bug reports: files, operations of one or several actors, and what
//! must come of it, partly in words.
//!
//! Paths are below `$BASE`; an operation that names a `root` runs in a session there. A
//! successful change of a file that nobody had read is preceded by that read, which the
//! reports leave out. Words that this reader does not know make the vector a skipped one.

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::verdicts::{fails, refused, succeeds};
use super::{edit, text, words};
use crate::case::{Case, Given, PolicyGiven, Step};

/// What an operation may say; anything else needs something that is not there.
const FIELDS: [&str; 14] = [
    "op", "path", "old", "new", "content", "root", "roots", "mode", "actor", "session", "agent",
    "do", "after", "request",
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
        }),
        approval: first("request").map(|_| "allowed-once".to_owned()),
        session_cwd: Some(Some(cwd)),
        ..Given::default()
    })
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
            "read" | "write" | "edit" | "list" | "lstat" | "external" => {}
            "shell" => return Some("confinement of shell commands".to_owned()),
            other => return Some(format!("the operation {other}")),
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

/// The operations with the results that the words ask for.
fn steps(repro: &Value, ops: &[Value], expect: &Map<String, Value>) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for op in ops {
        let path = op["path"].as_str().unwrap_or("");
        if op["op"] == "external" {
            steps.extend(outside(repro, op)?);
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

fn last(steps: &mut [Step], expect: Value) {
    if let Some(step) = steps.last_mut() {
        step.expect = expect;
    }
}

/// Without a result in words: the last operation succeeds where files are to change.
fn succeeds_if(repro: &Value, expect: &Map<String, Value>) -> Value {
    let kept = repro["files"].as_array().into_iter().flatten().any(|file| {
        let path = file["path"].as_str().unwrap_or("");
        expect
            .get(path)
            .is_some_and(|new| *new == file["content"] || unchanged(new))
    });
    if kept { json!("-") } else { succeeds() }
}

fn unchanged(stated: &Value) -> bool {
    stated
        .as_str()
        .is_some_and(|text| text.starts_with("unchanged"))
}

/// Applies a result in words to the operations.
fn judge(steps: &mut [Step], words: &str) -> Result<(), String> {
    let stale = fails(&["FS_STALE_VERSION"]);
    match words {
        "ok" | "allowed on a case-sensitive file system" => last(steps, succeeds()),
        "ok if unchanged on disk, by documented choice" => last(steps, succeeds()),
        "the read passes; mutations are fenced" => {
            last(
                steps,
                json!({"one_of": ["<ok>", {"fails": "FS_NOT_FOUND"}]}),
            );
        }
        "both ok" | "all ok" => {
            for step in steps.iter_mut().filter(|step| step.op["op"] == "tool") {
                step.expect = succeeds();
            }
        }
        "refused" | "refused with the hint" => last(steps, refused()),
        "refused: not observed" | "FS_NOT_OBSERVED" => last(steps, fails(&["FS_NOT_OBSERVED"])),
        "stale" | "A: stale" | "B's write is stale" | "parent: stale, names the child" => {
            last(steps, stale);
        }
        "denied" | "denied with a message that shows the root" => {
            last(steps, fails(&["FS_SANDBOX_DENIED"]));
        }
        "not-regular" | "not-regular at once" => last(steps, fails(&["FS_NOT_REGULAR_FILE"])),
        "second: not found" => last(steps, fails(&["FS_EDIT_NOT_FOUND"])),
        "not permitted" => last(steps, fails(&["FS_PERMISSION_DENIED", "FS_SANDBOX_DENIED"])),
        "both not-text" => {
            first(steps, fails(&["FS_NOT_TEXT"]));
            last(steps, fails(&["FS_NOT_TEXT", "FS_NOT_OBSERVED"]));
        }
        "first edit stale, after the read ok" => {
            let edit = steps.iter_mut().find(|step| step.op["name"] == "edit");
            edit.ok_or("no edit")?.expect = stale;
            last(steps, succeeds());
        }
        "directory, on every code path" => {
            // The reference cases say that it is the link; what is asked is one answer.
            last(steps, json!({"type": {"one_of": ["directory", "symlink"]}}));
        }
        other => return phrase(steps, other),
    }
    Ok(())
}

fn first(steps: &mut [Step], expect: Value) {
    if let Some(step) = steps.first_mut() {
        step.expect = expect;
    }
}

/// Results of which the beginning or a part says what is meant.
fn phrase(steps: &mut [Step], words: &str) -> Result<(), String> {
    let reads = steps.last().is_some_and(|step| step.op["name"] == "read");
    if words.starts_with("an unread existing file: refused with FS_NOT_OBSERVED") {
        last(steps, fails(&["FS_NOT_OBSERVED"]));
    } else if words.starts_with("an unread existing file, and the asked mode is not strictly wider")
        || words.starts_with("refused, or ")
    {
        last(steps, refused());
    } else if words.starts_with("ambiguous: ") {
        last(steps, fails(&["FS_AMBIGUOUS_EDIT"]));
    } else if words.starts_with("not found") && reads {
        last(steps, fails(&["FS_NOT_FOUND"]));
    } else if words.starts_with("not found") {
        last(steps, fails(&["FS_EDIT_NOT_FOUND"]));
    } else if reads && words.ends_with("\\n") && !words.contains(' ') {
        let shown = words.trim_end_matches("\\n");
        last(
            steps,
            json!({"text": {"contains": format!("1: {shown}\n")}}),
        );
    } else {
        return Err(format!("an expectation in words: {words}"));
    }
    Ok(())
}

/// The files afterwards.
fn files(repro: &Value, expect: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut files = Map::new();
    let refusal = expect
        .get("result")
        .and_then(Value::as_str)
        .unwrap_or("")
        .starts_with("refused");
    for (name, stated) in expect {
        let (path, field) = match name.rsplit_once('.') {
            Some((path, field @ ("hex" | "mode"))) => (path, field),
            _ => (name.as_str(), "text"),
        };
        if name == "result" || (refusal && field == "hex") {
            continue;
        }
        let place = format!("$BASE/{path}");
        let entry = match stated.as_str() {
            None if stated.is_null() => Value::Null,
            Some("absent") => Value::Null,
            Some("still a link") => given_link(repro, path).ok_or("no such link")?,
            Some(text) if text.starts_with("unchanged") => original(repro, path),
            Some(text) if text.contains("(verbatim)") => {
                json!(text.split(" (verbatim)").next().unwrap_or(""))
            }
            Some(text) if plain(name, text) => json!({field: text}),
            _ => return Err(format!("an expectation in words: {name}: {stated}")),
        };
        files.insert(place, entry);
    }
    Ok(files)
}

/// Whether an expectation is a content and no description of one.
fn plain(name: &str, text: &str) -> bool {
    let described = [
        "<",
        "byte-identical",
        "one line changed",
        "absent or",
        "via in-place",
    ];
    !name.contains(' ') && name != "diff" && !described.iter().any(|words| text.contains(words))
}

fn given_link(repro: &Value, path: &str) -> Option<Value> {
    let file = repro["files"]
        .as_array()?
        .iter()
        .find(|file| file["path"] == path)?;
    Some(json!({"link": file["symlink"]}))
}

fn original(repro: &Value, path: &str) -> Value {
    let found = repro["files"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|file| file["path"] == path);
    match found {
        Some(file) if file["hex"].is_string() => json!({"hex": file["hex"]}),
        Some(file) => json!({"text": file["content"]}),
        None => Value::Null,
    }
}
