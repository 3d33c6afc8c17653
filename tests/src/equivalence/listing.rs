//! Listings and facts: no versions, byte order, and no child that fails the others.

use serde_json::{Value, json};

use super::Question;

/// stat and list read no content, so they carry no version.
pub(super) fn versions_fall_away(question: &Question<'_>, mut expect: Value) -> Value {
    let drop = |value: &mut Value, field: &str| {
        if let Some(fields) = value.as_object_mut() {
            fields.remove(field);
        }
    };
    match question.name() {
        "stat" | "lstat" => drop(&mut expect, "version"),
        "list" => {
            for entry in expect.as_array_mut().into_iter().flatten() {
                drop(entry, "has_version");
                drop(entry, "version");
            }
        }
        _ => {}
    }
    expect
}

/// Children are listed by the bytes of their names.
pub(super) fn byte_order(question: &Question<'_>, mut expect: Value) -> Value {
    if let ("list", Some(entries)) = (question.name(), expect.as_array_mut()) {
        entries.sort_by_key(|entry| entry["name"].as_str().unwrap_or("").as_bytes().to_vec());
        for entry in entries {
            dangling_child(question, entry);
        }
    }
    expect
}

/// A child that is a dangling link has the key of its target.
fn dangling_child(question: &Question<'_>, entry: &mut Value) {
    let (Some(dir), Some(name)) = (&question.facts.kernel, entry["name"].as_str()) else {
        return;
    };
    let op = json!({"op": "lstat", "path": dir.join(name)});
    let child = super::Facts::look(question.case, &op, question.places);
    if let (Some(target), true) = (child.dangling, entry.get("key").is_some()) {
        entry["key"] = json!(target);
    }
}

/// One child that cannot be examined is listed as `other`.
pub(super) fn broken_child(question: &Question<'_>, expect: Value) -> Value {
    if question.name() == "list" && expect["fails"] == "FS_IO_ERROR" {
        return json!("<ok>");
    }
    expect
}
