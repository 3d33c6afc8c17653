//! Versions: the content, and nothing but the content.

use serde_json::{Value, json};

use super::Question;

/// Two versions are the same where the contents are.
pub(super) fn same_content(question: &Question<'_>, expect: Value) -> Value {
    let (Some(a), Some(b)) = (question.op["a"].as_str(), question.op["b"].as_str()) else {
        return expect;
    };
    match (question.name(), question.history.same(a, b)) {
        ("same-version", Some(same)) => json!(same),
        _ => expect,
    }
}

/// touch and chmod are not stale.
pub(super) fn not_stale(question: &Question<'_>, expect: Value) -> Value {
    let stale = question.mutates() && expect["fails"] == "FS_STALE_VERSION";
    if stale && question.history.only_touched(question.facts) {
        return json!("<ok>");
    }
    expect
}

/// A window past the end still counts as having seen the file.
pub(super) fn seen_past_the_end(question: &Question<'_>, expect: Value) -> Value {
    let unseen = question.is_tool() && question.mutates() && expect["fails"] == "FS_NOT_OBSERVED";
    if unseen && question.history.seen_past_the_end(question.facts) {
        return json!("<ok>");
    }
    expect
}

/// The edit of a missing file without a guard is FS_NOT_FOUND.
pub(super) fn missing_unguarded(question: &Question<'_>, expect: Value) -> Value {
    let missing = question
        .facts
        .spelled
        .as_ref()
        .is_some_and(|path| !path.exists());
    let edit = question.name() == "edit" && question.unguarded();
    if edit && missing && expect["fails"] == "FS_STALE_VERSION" {
        return json!({"fails": "FS_NOT_FOUND"});
    }
    expect
}

/// Calls of one session run one after another, and each observes what it wrote, so that
/// the second of two edits at once is not stale.
pub(super) fn one_session(question: &Question<'_>, expect: Value) -> Value {
    let ops = question.op["ops"].as_array();
    let tools = ops.is_some_and(|ops| ops.iter().all(|op| op["op"] == "tool"));
    if question.name() == "all" && tools {
        let count = ops.map_or(0, Vec::len);
        return json!({"one_of": [expect, {"ok": count, "codes": []}]});
    }
    expect
}
