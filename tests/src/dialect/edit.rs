//! The schema of the edit cases: one guarded edit, write or read.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::verdicts::{fails, of_kind, refused, succeeds};
use super::{text, words};
use crate::case::{Case, Given, PolicyGiven, Step};
use crate::unprivileged::is_root;

/// Reads an edit case.
pub(super) fn read(value: &Value) -> Result<Case> {
    let result = text(&value["expect"], "result")?;
    let op = text(value, "op")?;
    let mut steps = seen(value)?;
    for change in value["between"].as_array().into_iter().flatten() {
        let change = change.as_str().context("a change in words")?;
        let ops = words::change(change, None)
            .with_context(|| format!("the change `{change}` is not known"))?;
        steps.extend(ops.into_iter().map(|op| Step::new(op, json!("-"))));
    }
    let expect = expected(&result)?;
    let arguments = match &value["args"] {
        Value::Array(list) => list.clone(),
        one => vec![one.clone()],
    };
    let calls = match op.as_str() {
        MULTI => vec![multi_edit(&arguments)],
        _ => arguments.iter().map(|args| call(&op, args)).collect(),
    };
    steps.extend(
        calls
            .into_iter()
            .map(|call| Step::new(call, expect.clone())),
    );
    let given = Given {
        ws: tree(&value["files"])?,
        gate: true,
        policy: Some(PolicyGiven {
            mode: Some("workspace-write".to_owned()),
            ..PolicyGiven::default()
        }),
        ..Given::default()
    };
    Ok(Case {
        id: text(value, "id")?,
        given,
        steps,
        files: files(value)?,
        unchanged: false,
        needs: needs(&op, &arguments),
        tiers: None,
        exact: true,
        line: String::new(),
    })
}

/// What the session has read before: the operations that let it see that.
fn seen(value: &Value) -> Result<Vec<Step>> {
    let first = value["args"].get(0).unwrap_or(&value["args"]);
    let path = first["path"].as_str().context("`args.path`")?;
    if value["op"] == "read" {
        return Ok(Vec::new());
    }
    let call = |args: Value| json!({"op": "tool", "name": "read", "args": args});
    let whole = call(json!({"file_path": path}));
    Ok(match &value["observed"] {
        Value::Bool(false) | Value::Null => Vec::new(),
        Value::Bool(true) => vec![Step::new(whole, json!("-"))],
        Value::String(how) if how == "absent" => {
            vec![Step::new(whole, fails(&["FS_NOT_FOUND"]))]
        }
        Value::String(how) if how == "read refused" => vec![Step::new(whole, refused())],
        Value::String(how) => {
            let lines = how
                .strip_prefix("lines ")
                .context("`observed` is not known")?;
            let (from, to) = lines.split_once('-').context("`observed`: lines A-B")?;
            let (from, to): (u64, u64) = (from.parse()?, to.parse()?);
            let args = json!({"file_path": path, "offset": from, "limit": to + 1 - from});
            vec![Step::new(call(args), succeeds())]
        }
        _ => bail!("`observed` is not known"),
    })
}

/// How several edits in one call are named in cases.
pub(super) const MULTI: &str = "multi-edit";

/// One call out of several edits.
pub(super) fn multi_edit(edits: &[Value]) -> Value {
    let edits = edits.iter().map(|args| call("edit", args)["args"].clone());
    let edits: Vec<Value> = edits.collect();
    json!({"op": "tool", "name": "multi_edit", "args": {"edits": edits}})
}

/// A tool call out of an operation and its arguments.
pub(super) fn call(op: &str, args: &Value) -> Value {
    let mut named = Map::new();
    for (field, value) in args.as_object().into_iter().flatten() {
        let name = match field.as_str() {
            "path" => "file_path",
            "old" => "old_string",
            "new" => "new_string",
            other => other,
        };
        named.insert(name.to_owned(), value.clone());
    }
    if let Some(content) = args["content"].as_str() {
        let described = words::content(content);
        if !described.is_string() {
            let bytes = crate::content::bytes(&described).unwrap_or_default();
            named.insert("content".to_owned(), json!(String::from_utf8_lossy(&bytes)));
        }
    }
    json!({"op": "tool", "name": op, "args": named})
}

fn needs(op: &str, arguments: &[Value]) -> Option<String> {
    if !["read", "write", "edit", "list", MULTI].contains(&op) {
        return Some(format!("the operation {op}"));
    }
    let dry = arguments.iter().any(|args| args.get("dry_run").is_some());
    dry.then(|| "a dry run".to_owned())
}

fn expected(result: &str) -> Result<Value> {
    if let Some((ordinary, root)) = result.split_once(" as an ordinary user; ") {
        let ours = if is_root() {
            root.trim_end_matches(" as root")
        } else {
            ordinary
        };
        return expected(ours);
    }
    match result {
        "ok" => Ok(succeeds()),
        "ok, truncated and says so" => Ok(json!({"text": {"contains": "truncated"}})),
        other => match other.strip_prefix("error:") {
            Some(kind) => of_kind(kind),
            None => bail!("the result `{other}` is not known"),
        },
    }
}

/// The tree of a list of files.
pub(super) fn tree(files: &Value) -> Result<Map<String, Value>> {
    let mut tree = Map::new();
    for file in files.as_array().context("`files` is a list")? {
        if let Some(dir) = file["dir"].as_str() {
            tree.insert(dir.to_owned(), json!({"dir": true}));
            continue;
        }
        tree.insert(text(file, "path")?, node(file)?);
    }
    Ok(tree)
}

fn node(file: &Value) -> Result<Value> {
    let mut node = Map::new();
    for (field, value) in file.as_object().context("a file is an object")? {
        match (field.as_str(), value.as_str()) {
            ("path", _) => {}
            ("dir" | "fifo" | "mode" | "hex", _) => {
                node.insert(field.clone(), value.clone());
            }
            ("symlink", _) => {
                node.insert("link".to_owned(), value.clone());
            }
            ("hardlink", Some(target)) => {
                node.insert("hard".to_owned(), json!(format!("$BASE/{target}")));
            }
            ("content", Some(content)) => match words::content(content) {
                Value::Object(described) => node.extend(described),
                plain => {
                    node.insert("text".to_owned(), plain);
                }
            },
            _ => bail!("the field `{field}` of a file is not known"),
        }
    }
    Ok(Value::Object(node))
}

/// The files afterwards: text by path, `path.hex`, `path.mode`, `symlink to x`.
fn files(value: &Value) -> Result<Map<String, Value>> {
    let stated = &value["expect"]["files"];
    let given = tree(&value["files"])?;
    let mut files: Map<String, Value> = Map::new();
    for (name, value) in stated.as_object().context("`expect.files` is an object")? {
        let text = match value.as_str() {
            None | Some("absent") if value.is_null() || value == "absent" => {
                files.insert(name.clone(), Value::Null);
                continue;
            }
            Some("unchanged") => {
                files.insert(name.clone(), given.get(name).cloned().unwrap_or_default());
                continue;
            }
            text => text.context("an expected file is a text")?,
        };
        let (path, field, wanted) = if let Some(path) = name.strip_suffix(".hex") {
            (path, "hex", text)
        } else if let Some(path) = name.strip_suffix(".mode") {
            (path, "mode", for_this_user(text))
        } else if let Some(target) = text.strip_prefix("symlink to ") {
            (name.as_str(), "link", target)
        } else {
            (name.as_str(), "text", text)
        };
        let entry = files.entry(path).or_insert_with(|| json!({}));
        entry[field] = json!(wanted);
    }
    Ok(files)
}

/// `4755 as root (CAP_FSETID), 0755 as an ordinary user`: the part that holds for us.
fn for_this_user(text: &str) -> &str {
    match text.split_once(" as root (CAP_FSETID), ") {
        Some((root, _)) if is_root() => root,
        Some((_, ordinary)) => ordinary.trim_end_matches(" as an ordinary user"),
        None => text,
    }
}
