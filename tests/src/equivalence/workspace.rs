//! The registry of workspaces: its storage is one database, and its failures have codes.

use serde_json::{Value, json};

use super::Question;

/// What the registry answers where the reference's answers `expect`.
pub(super) fn registry(question: &Question<'_>, mut expect: Value) -> Value {
    match question.name() {
        // One transaction may hold several of the reference's writes: whether there was one.
        "changes" => json!(expect.as_u64().is_some_and(|count| count > 0)),
        // How often sessions are read is no fact of a database.
        "list-calls" => json!("-"),
        "stored" => {
            unordered(&mut expect);
            expect
        }
        _ => {
            coded(question, &mut expect);
            expect
        }
    }
}

/// Records have no order of their own, and ids that are not named are any.
fn unordered(expect: &mut Value) {
    if let Some(records) = expect["records"].as_array_mut() {
        records.sort_by_key(|record| record["path"].as_str().map(str::to_owned));
    }
    for id in expect["state"]["workspaceIds"]
        .as_array_mut()
        .into_iter()
        .flatten()
    {
        if id == "<id>" {
            *id = json!("<any>");
        }
    }
}

/// Every failure has a code; a raw platform error has a text of its own. Where the start
/// fails, the words are those of the other medium.
fn coded(question: &Question<'_>, expect: &mut Value) {
    let Some(code) = expect.get("fails").cloned() else {
        return;
    };
    let starts = question.name() == "start";
    expect["fails"] = match question.name() {
        "attach" => json!({"one_of": ["UNKNOWN_SESSION", "SESSION_MISPLACED"]}),
        "archive" => json!("UNKNOWN_SESSION"),
        "move-session" => json!("SESSION_NOT_ACCOUNTED"),
        "create" | "resolve" => json!("WORKSPACE_NO_DIRECTORY"),
        "start" => json!({"one_of": ["STATE_FAILED", "STATE_REFUSED"]}),
        _ => json!("UNKNOWN_WORKSPACE"),
    };
    if let (true, Some(fields)) = (starts || !code.is_null(), expect.as_object_mut()) {
        fields.remove("message");
    }
}
