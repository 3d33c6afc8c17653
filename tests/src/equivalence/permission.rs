//! Permission and modes: those that an in-place write by the same user would meet.

use serde_json::{Value, json};

use super::Question;
use crate::case::Case;
use crate::unprivileged::is_root;

/// A file that the user could not write is refused.
pub(super) fn in_place(question: &Question<'_>, expect: Value) -> Value {
    let closed = question.facts.mode.is_some_and(|mode| mode & 0o200 == 0);
    let ordinary = question.case.given.unprivileged && !is_root();
    if question.mutates() && ordinary && closed && expect.get("fails").is_none() {
        return json!({"fails": "FS_PERMISSION_DENIED"});
    }
    expect
}

/// Set-id bits stay as such a write leaves them: root keeps them.
pub(super) fn set_id(question: &Question<'_>, expect: Value) -> Value {
    let given = question.op["path"]
        .as_str()
        .and_then(|path| question.case.given.ws.get(path));
    let mode = given.and_then(|node| node["mode"].as_str()).unwrap_or("");
    let special = u32::from_str_radix(mode, 8).unwrap_or(0) & 0o6000 != 0;
    if question.name() == "mode" && special && is_root() {
        return json!(format!("{mode:0>4}"));
    }
    expect
}

/// New files follow the umask, which the runner sets to 022.
pub(super) fn new_file(case: &Case, path: &str, expect: &Value) -> Value {
    let mut expect = expect.clone();
    if expect["mode"] == "0600" && !case.given.ws.contains_key(path) {
        expect["mode"] = json!("0644");
    }
    expect
}
