//! The value that comes with each answer.
//!
//! Some clients hold failures to the same schema, so that it takes both: the facts of a
//! call that succeeded, or a code.

use dsh_fs::error::Code;
use dsh_fs_runtime::CallCode;
use serde_json::{Map, Value, json};

/// The schema of a tool's value.
pub(super) fn of(tool: &str) -> Value {
    let (properties, required) = match tool {
        "read" => read(),
        "list" => list(),
        "multi_edit" => multi_edit(),
        "bash" => (json!({}), &[][..]),
        "undo" => undo(),
        _ => change(),
    };
    let mut all = failure();
    if let Value::Object(properties) = properties {
        all.extend(properties);
    }
    json!({
        "type": "object",
        "properties": all,
        "anyOf": [{ "required": required }, { "required": ["code"] }],
    })
}

fn read() -> (Value, &'static [&'static str]) {
    let line = json!({
        "type": "object",
        "properties": { "number": { "type": "integer" }, "text": { "type": "string" } },
        "required": ["number", "text"],
    });
    let cut = json!({
        "type": "object",
        "properties": { "line": { "type": "integer" }, "nextColumn": { "type": "integer" } },
        "required": ["line", "nextColumn"],
    });
    let properties = json!({
        "path": { "type": "string" },
        "key": { "type": "string" },
        "offset": { "type": "integer" },
        "lines": { "type": "array", "items": line },
        "totalLines": { "type": "integer" },
        "version": { "type": "string" },
        "lineEndings": { "type": "string", "enum": ["none", "lf", "crlf", "mixed"] },
        "finalNewline": { "type": "boolean" },
        "byteOrderMark": { "type": "boolean" },
        "capped": { "type": "boolean" },
        "cutLines": { "type": "array", "items": cut },
    });
    (
        properties,
        &["path", "key", "lines", "totalLines", "version"],
    )
}

fn list() -> (Value, &'static [&'static str]) {
    let entry = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "type": { "type": "string", "enum": ["file", "directory", "symlink", "other"] },
            "isLink": { "type": "boolean" },
            "size": { "type": ["integer", "null"] },
            "path": { "type": "string" },
            "key": { "type": "string" },
            "trouble": { "type": ["string", "null"] },
        },
        "required": ["name", "type"],
    });
    let properties = json!({
        "path": { "type": "string" },
        "key": { "type": "string" },
        "offset": { "type": "integer" },
        "entries": { "type": "array", "items": entry },
        "totalEntries": { "type": "integer" },
    });
    (properties, &["path", "key", "entries", "totalEntries"])
}

fn change() -> (Value, &'static [&'static str]) {
    let diff = json!({
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "oldStart": { "type": "integer" },
            "newStart": { "type": "integer" },
            "oldText": { "type": "string" },
            "newText": { "type": "string" },
        },
    });
    let properties = json!({
        "operation": { "type": "string" },
        "path": { "type": "string" },
        "key": { "type": "string" },
        "version": { "type": ["string", "null"] },
        "previousVersion": { "type": ["string", "null"] },
        "replacements": { "type": ["integer", "null"] },
        "grade": {
            "type": "string",
            "enum": ["atomic", "lease-checked", "best-effort"],
        },
        "gradeReason": { "type": ["string", "null"] },
        "diffs": { "type": "array", "items": diff },
        "diffsCut": { "type": "boolean" },
    });
    (properties, &["operation", "path", "key", "grade"])
}

fn multi_edit() -> (Value, &'static [&'static str]) {
    let properties = json!({
        "changes": changes(),
        "survivesACrash": { "type": "boolean" },
    });
    (properties, &["changes", "survivesACrash"])
}

/// Of a `multi_edit` that was taken back, every file is below `changes`.
fn undo() -> (Value, &'static [&'static str]) {
    let (mut properties, required) = change();
    properties["changes"] = changes();
    (properties, required)
}

fn changes() -> Value {
    let (properties, required) = change();
    let item = json!({ "type": "object", "properties": properties, "required": required });
    json!({ "type": "array", "items": item })
}

fn failure() -> Map<String, Value> {
    let files = Code::ALL.iter().map(|code| code.name());
    let calls = CallCode::ALL.iter().map(|code| code.name());
    let codes: Vec<_> = files.chain(calls).collect();
    let mut properties = Map::new();
    properties.insert("code".into(), json!({ "type": "string", "enum": codes }));
    properties.insert("message".into(), json!({ "type": "string" }));
    properties
}
