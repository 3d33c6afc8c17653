//! Paths: what the kernel says they mean, and roots that are not there.

use std::path::Path;

use serde_json::{Value, json};

use super::{History, Question};

/// A dangling link resolves to the key of its target: inside the roots the target is made,
/// outside it is denied, and the link itself is never replaced.
pub(super) fn dangling_link(question: &Question<'_>, mut expect: Value) -> Value {
    let facts = question.facts;
    let Some(target) = &facts.dangling else {
        return link_stays(question, expect);
    };
    match question.name() {
        "resolve" if expect.get("key").is_some() => {
            expect["key"] = json!(target);
            if let Some(fields) = expect.as_object_mut() {
                fields.remove("display");
            }
            expect
        }
        "write" if question.is_tool() => expect,
        "write" if outside(question, target) => json!({"fails": "FS_SANDBOX_DENIED"}),
        "write" if matches!(question.op["guard"].as_str(), None | Some("create")) => {
            json!({"operation": "create", "before": null})
        }
        "lstat" => link_stays(question, expect),
        _ => expect,
    }
}

/// A link that was there is still one, wherever the reference replaced it by a file.
fn link_stays(question: &Question<'_>, expect: Value) -> Value {
    let given = question.op["path"]
        .as_str()
        .and_then(|path| question.case.given.ws.get(path));
    let link = given.is_some_and(|node| node.get("link").is_some());
    if question.name() == "lstat" && link && expect["type"] == "file" {
        return json!({"type": "symlink"});
    }
    expect
}

fn outside(question: &Question<'_>, target: &Path) -> bool {
    let Some(policy) = &question.case.given.policy else {
        return false;
    };
    let root = question
        .places
        .fill(policy.workspace_root.as_deref().unwrap_or("$WS"));
    policy.mode.as_deref() == Some("workspace-write")
        && ![Path::new(&root), Path::new("/tmp")]
            .iter()
            .any(|root| target.starts_with(root))
}

/// `..` after a link, and after what is missing, means what it means to the kernel.
pub(super) fn component_by_component(question: &Question<'_>, expect: Value) -> Value {
    let facts = question.facts;
    let spelled = facts
        .spelled
        .as_ref()
        .map(|path| path.to_string_lossy().into_owned());
    let steps_up = spelled.is_some_and(|path| path.split('/').any(|part| part == ".."));
    if !steps_up || facts.dangling.is_some() || expect.get("fails").is_some() {
        return expect;
    }
    let lexical = facts
        .lexical()
        .and_then(|path| std::fs::canonicalize(&path).ok().or(Some(path)));
    let Some(kernel) = &facts.kernel else {
        return json!({"fails": "FS_NOT_FOUND"});
    };
    if lexical.as_ref() == Some(kernel) {
        return expect;
    }
    let text = std::fs::read_to_string(kernel).ok();
    match (question.name(), text) {
        ("resolve", _) => json!({"key": kernel}),
        ("read-text", Some(text)) => json!(text),
        ("read", Some(text)) => {
            json!({"text": {"contains": format!("1: {}", text.lines().next().unwrap_or(""))}})
        }
        _ => expect,
    }
}

/// A name with a trailing slash is never a file.
pub(super) fn trailing_slash(question: &Question<'_>, expect: Value) -> Value {
    let facts = question.facts;
    let stem = facts.lexical();
    let names_file = facts.wants_directory() && stem.is_some_and(|path| path.is_file());
    if names_file && !matches!(question.name(), "lstat" | "under") {
        return json!({"fails": "FS_NOT_FOUND"});
    }
    expect
}

/// A writable root that does not exist contains nothing.
pub(super) fn missing_root(question: &Question<'_>, expect: Value) -> Value {
    let given = question.case.given.policy.as_ref();
    let own = question.op.get("policy");
    let mode = own.map_or_else(
        || given.and_then(|policy| policy.mode.clone()),
        |policy| policy["mode"].as_str().map(str::to_owned),
    );
    let root = own.map_or_else(
        || given.and_then(|policy| policy.workspace_root.clone()),
        |policy| policy["workspaceRoot"].as_str().map(str::to_owned),
    );
    let missing = root.is_some_and(|root| !question.places.path(&root).exists());
    let fenced = mode.as_deref() == Some("workspace-write") && !question.is_tool();
    if question.mutates() && fenced && missing {
        return json!({"fails": "FS_SANDBOX_DENIED"});
    }
    expect
}

/// The root is pinned when a session starts: where it is not there, there is no session.
pub(super) fn root_to_pin(question: &Question<'_>, expect: Value) -> Value {
    let given = question.case.given.policy.as_ref();
    let configured = given
        .and_then(|policy| policy.workspace_root.as_deref())
        .unwrap_or("$WS");
    let own = question.op["cwd"]
        .as_str()
        .filter(|_| question.op.get("session").is_some());
    let missing = !question.places.path(own.unwrap_or(configured)).exists();
    let asks = matches!(question.name(), "policy" | "policy-text" | "sandbox-mode");
    if asks && missing {
        json!({"fails": "FS_NOT_FOUND"})
    } else {
        expect
    }
}

/// A mutation takes the key that resolve gave: where the path leads elsewhere by now, the
/// fence refuses it and writes nowhere.
pub(super) fn led_elsewhere(question: &Question<'_>, expect: Value) -> Value {
    let policy = question.case.given.policy.as_ref();
    let fenced = policy.is_some_and(|it| it.mode.as_deref() == Some("workspace-write"));
    let stored = question.op["path"].as_str().unwrap_or("");
    let moved = question.history.leads_elsewhere(stored);
    if question.mutates() && fenced && moved && expect.get("fails").is_none() {
        return json!({"fails": "FS_STALE_VERSION"});
    }
    expect
}

/// The names of a directory in which the target of a dangling link was made.
pub(super) fn made_names(history: &History, place: &Path, expect: &Value) -> Option<Value> {
    let mut ours = expect.get("names").map(|_| expect.clone())?;
    let clean: std::path::PathBuf = place.components().collect();
    let made = history.made_in(&clean);
    ours["names"]
        .as_array_mut()?
        .extend(made.into_iter().map(Value::from));
    Some(ours)
}
