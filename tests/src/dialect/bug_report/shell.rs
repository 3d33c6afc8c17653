//! Reports about commands.

use serde_json::{Map, Value, json};

use crate::case::Step;

/// The operations of a report that runs commands, with what its words ask for; nothing
/// where no operation does.
///
/// # Errors
/// What it needs, where that is not here.
pub(super) fn steps(
    value: &Value,
    ops: &[Value],
    expect: &Map<String, Value>,
) -> Option<Result<Vec<Step>, String>> {
    let commands = |op: &Value| op["op"] == "shell" || op["op"] == "probe";
    if !ops.iter().any(commands) {
        return None;
    }
    let in_ws = value["repro"]["files"]
        .as_array()
        .is_some_and(|files| files.iter().any(|file| file["dir"] == "ws"));
    let root = if in_ws { "$WS" } else { "$BASE" };
    let told = expect.get("result").and_then(Value::as_str);
    let steps = ops.iter().map(|op| step(op, root, told));
    Some(
        steps
            .collect::<Result<Vec<_>, _>>()
            .map(|steps| steps.concat()),
    )
}

fn step(op: &Value, root: &str, told: Option<&str>) -> Result<Vec<Step>, String> {
    let one = |op: Value, expect: Value| Ok(vec![Step::new(op, expect)]);
    match (op["op"].as_str(), told) {
        (Some("probe"), _) => one(json!({"op": "probe"}), json!({"landlock": true})),
        (Some("write"), _) => {
            let path = op["path"]
                .as_str()
                .unwrap_or("")
                .replace("<pwd output>", root);
            let args = json!({"file_path": path, "content": op["content"]});
            one(
                json!({"op": "tool", "name": "write", "args": args}),
                json!("<ok>"),
            )
        }
        _ if op.get("policy_service").is_some() => Err("a shell tool with approval".to_owned()),
        _ if op["host"] == "kernel 5.4 container, no userns" => nothing_works(root),
        _ => run(op, root, told),
    }
}

/// One structured error: what was tried, why each failed, what would help.
fn nothing_works(root: &str) -> Result<Vec<Step>, String> {
    let op = json!({
        "op": "confine", "host": {"platform": "linux"}, "argv": ["true"],
        "policy": {"mode": "workspace-write", "workspaceRoot": root},
    });
    let message =
        |part: &str| json!({"code": "SANDBOX_UNAVAILABLE", "message": {"contains": part}});
    let parts = [
        "bubblewrap: it does not work",
        "landlock: it is off",
        "What helps: ",
    ];
    Ok(parts
        .iter()
        .map(|part| Step::new(op.clone(), message(part)))
        .collect())
}

/// The command under each backend.
fn run(op: &Value, root: &str, told: Option<&str>) -> Result<Vec<Step>, String> {
    let command = op["cmd"].as_str().ok_or("a command")?;
    let expect = match (told, command) {
        (None, "pwd") => json!({"ok": true, "stdout": format!("{root}\n")}),
        (Some("ok, or a clear configuration error"), _) => json!({"ok": true}),
        (Some("hi, or which step failed"), _) => json!({"ok": true, "stdout": "hi\n"}),
        (Some("OS error, not a sandbox denial"), _) => {
            json!({"ok": false, "started": true, "denied_signature_seen": false})
        }
        (Some("typed outcome: denied, by which rule, askable or not"), _) => {
            json!({"ok": false, "started": true, "denied_signature_seen": true})
        }
        _ if command.contains("sandbox-exec") => {
            return Err("the operating system macos".to_owned());
        }
        (told, _) => return Err(format!("an expectation in words: {}", told.unwrap_or(""))),
    };
    let policy = json!({"mode": "workspace-write", "workspaceRoot": root});
    let under = |force: &str| json!({"op": "shell", "command": command, "policy": policy, "cwd": root, "force": force});
    Ok(["bwrap", "landlock"]
        .map(|force| Step::new(under(force), expect.clone()))
        .to_vec())
}
