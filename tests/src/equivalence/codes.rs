//! Codes: every failure has one of the thirteen or of the five.

use serde_json::{Value, json};

use super::Question;

/// Raw platform errors, missing codes and codes of the reference's own become ours; the
/// text of a raw error falls away with it.
pub(super) fn translate(question: &Question<'_>, mut expect: Value) -> Value {
    if question.name() == "approvals" {
        return named_question(expect);
    }
    if question.name() == "validate-escalation"
        && unknown_mode(question)
        && expect.get("fails").is_none()
    {
        return json!({"fails": "INVALID_ARGUMENTS"});
    }
    let Some(code) = expect.get("fails").cloned() else {
        return aborted(question, expect);
    };
    let (ours, raw) = match code.as_str() {
        None if code.is_null() => (
            json!({"one_of": ["INVALID_ARGUMENTS", "ESCALATION_REFUSED"]}),
            false,
        ),
        Some("INVALID_ARGS") => (json!("INVALID_ARGUMENTS"), false),
        Some("ABORTED_BEFORE_DISPATCH") => (json!("FS_ABORTED"), true),
        Some("EACCES" | "EPERM" | "EROFS") => (json!("FS_PERMISSION_DENIED"), true),
        Some("ENOENT" | "ENOTDIR" | "ENAMETOOLONG" | "ELOOP" | "ERR_INVALID_ARG_VALUE") => {
            (json!("FS_NOT_FOUND"), true)
        }
        Some("EISDIR") => (json!("FS_NOT_REGULAR_FILE"), true),
        Some(other) if other.starts_with('E') => (json!("FS_IO_ERROR"), true),
        _ => (code, false),
    };
    expect["fails"] = ours;
    if let (true, Some(fields)) = (raw, expect.as_object_mut()) {
        fields.remove("message");
        fields.remove("text");
    }
    aborted(question, expect)
}

fn unknown_mode(question: &Question<'_>) -> bool {
    let known = ["read-only", "workspace-write", "danger-full-access"];
    question.op["sandbox_permissions"]
        .as_str()
        .is_some_and(|mode| !known.contains(&mode))
}

/// A cancelled write says `write aborted`.
fn aborted(question: &Question<'_>, mut expect: Value) -> Value {
    if question.name() == "write" && expect["message"] == "read aborted" {
        expect["message"] = json!("write aborted");
    }
    expect
}

/// The question to a person names the path, so its sentence is another.
fn named_question(mut expect: Value) -> Value {
    for question in expect.as_array_mut().into_iter().flatten() {
        if let Some(fields) = question.as_object_mut() {
            fields.remove("reason");
            fields.insert("path".to_owned(), json!("<any>"));
        }
    }
    expect
}
