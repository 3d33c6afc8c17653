//! The schema of the escape cases: a tree, one operation, and the verdict of the fence.
//!
//! The operation goes through the tools with a gate that demands nothing, so that the
//! verdict is the fence's. What is refused must leave everything as it was.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::text;
use super::verdicts::{fails, of_kind, succeeds};
use crate::case::{Case, Given, PolicyGiven, Step};

/// Reads an escape case.
pub(super) fn read(value: &Value) -> Result<Case> {
    let root = format!("$BASE/{}", text(value, "root")?);
    let verdict = verdict(value)?;
    let mut steps = vec![Step::new(json!({"op": "open"}), json!("-"))];
    let mut needs = needs(value);
    match value["race"].as_str().map(after_start) {
        Some(Some(ops)) => steps.extend(ops.into_iter().map(|op| Step::new(op, json!("-")))),
        Some(None) => needs = Some("a second actor during the call".to_owned()),
        None => {}
    }
    let moved = steps.len() > 1;
    let expect = if needs.is_some() {
        json!("-")
    } else {
        expected(&verdict)?
    };
    steps.push(Step::new(operation(value)?, expect));
    Ok(Case {
        id: text(value, "id")?,
        given: given(value, root)?,
        steps,
        files: files(value, &verdict),
        unchanged: verdict != "allow" && !moved,
        needs,
        tiers: None,
        exact: true,
        line: String::new(),
    })
}

fn given(value: &Value, root: String) -> Result<Given> {
    let extra = value["roots"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let policy = PolicyGiven {
        mode: Some(
            value["mode"]
                .as_str()
                .unwrap_or("workspace-write")
                .to_owned(),
        ),
        extra_roots: extra.map(|extra| format!("$BASE/{extra}")).collect(),
        workspace_root: Some(root.clone()),
        temporary: None,
        protected: protected(value),
        deny_read: Vec::new(),
    };
    Ok(Given {
        base: tree(&value["tree"])?,
        policy: Some(policy),
        session_cwd: Some(Some(root)),
        ..Given::default()
    })
}

fn tree(nodes: &Value) -> Result<Map<String, Value>> {
    let mut tree = Map::new();
    for node in nodes.as_array().context("`tree` is a list")? {
        let target = node["target"].as_str().unwrap_or_default();
        let made = match node["kind"].as_str().context("`kind`")? {
            "dir" => json!({"dir": true}),
            "file" => json!({"text": node["content"].as_str().unwrap_or_default()}),
            "symlink" => json!({"link": target}),
            "hardlink" => json!({"hard": format!("$BASE/{target}")}),
            "fifo" => json!({"fifo": true}),
            other => bail!("the kind of node `{other}` is not known"),
        };
        tree.insert(text(node, "path")?, made);
    }
    Ok(tree)
}

/// The verdict; for a read the reference's own, where the case states it.
fn verdict(value: &Value) -> Result<String> {
    let stated = value.get("dsh_reads").filter(|_| reads(value));
    match stated.and_then(Value::as_str) {
        Some(stated) => Ok(stated.to_owned()),
        None => text(value, "expect"),
    }
}

fn reads(value: &Value) -> bool {
    matches!(value["op"].as_str(), Some("read" | "list"))
}

fn needs(value: &Value) -> Option<String> {
    let os = value["os"].as_str().unwrap_or("linux");
    if !os.split(',').any(|os| os == "linux") {
        return Some(format!("the operating system {os}"));
    }
    if reads(value) && verdict(value).is_ok_and(|verdict| verdict == "deny") {
        return Some("deny-read rules".to_owned());
    }
    let unknown = protects(value) && !value["path"].as_str().unwrap_or("").contains(".git/");
    unknown.then(|| "protected sub-paths other than those of git".to_owned())
}

/// Whether the verdict is that of protected sub-paths.
fn protects(value: &Value) -> bool {
    value["verdict_by"] == "policy" && value["policy"] == "protected-subpaths"
}

/// What lets somebody else's command run: hooks and configuration, not git's own work.
fn protected(value: &Value) -> Vec<String> {
    let names: &[&str] = if protects(value) {
        &[".git/hooks", ".git/config"]
    } else {
        &[]
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// `after start-up rename A to B and put a symlink C -> D`, `... rename A away and rename B to A`.
fn after_start(words: &str) -> Option<Vec<Value>> {
    let words = words.strip_prefix("after start-up ")?;
    words.split(" and ").map(one_change).collect()
}

fn one_change(words: &str) -> Option<Value> {
    let change = |what: &str, path: &str, to: &str| {
        let to = if what == "link" {
            to.to_owned()
        } else {
            format!("$BASE/{to}")
        };
        json!({"op": "ext", "do": what, "path": format!("$BASE/{path}"), "to": to})
    };
    match words.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["rename", from, "to", to] => Some(change("rename", from, to)),
        ["rename", from, "away"] => Some(change("rename", from, &format!("{from}.away"))),
        ["put", "a", "symlink", from, "->", to] => Some(change("link", from, to)),
        _ => None,
    }
}

fn expected(verdict: &str) -> Result<Value> {
    match verdict {
        "allow" => Ok(succeeds()),
        "deny" => Ok(fails(&["FS_SANDBOX_DENIED"])),
        other => of_kind(other.strip_prefix("error:").context("a verdict")?),
    }
}

fn operation(value: &Value) -> Result<Value> {
    let path = text(value, "path")?;
    let (name, args) = match value["op"].as_str().context("`op`")? {
        "create" | "write" => ("write", json!({"file_path": path, "content": NEW})),
        "edit" => {
            let old = value["tree"].as_array().into_iter().flatten();
            let old = old
                .filter_map(|node| node["content"].as_str())
                .next()
                .unwrap_or("x");
            let args =
                json!({"file_path": path, "old_string": old.trim_end(), "new_string": "edited"});
            ("edit", args)
        }
        "read" => ("read", json!({"file_path": path})),
        "list" => ("list", json!({"file_path": path})),
        other => bail!("the operation `{other}` is not known"),
    };
    Ok(json!({"op": "tool", "name": name, "args": args}))
}

/// What is written where the case does not say.
const NEW: &str = "new\n";

fn files(value: &Value, verdict: &str) -> Map<String, Value> {
    let mut files = Map::new();
    let writes = matches!(value["op"].as_str(), Some("create" | "write"));
    if let (Some(place), "allow", true) = (value["resolves_to"].as_str(), verdict, writes) {
        files.insert(format!("$BASE/{place}"), json!(NEW));
    }
    files
}
