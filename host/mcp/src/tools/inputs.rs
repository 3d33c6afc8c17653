//! The arguments of each tool.

use dsh_fs::types::Mode;
use serde_json::{Value, json};

use super::object_of;
use crate::wording::argument;

/// The schema of a tool's arguments.
pub(super) fn of(tool: &str) -> Value {
    match tool {
        "read" => object_of(
            json!({
                "file_path": text(argument::FILE),
                "offset": count(argument::FIRST_LINE),
                "limit": count(argument::LINES),
                "column": count(argument::COLUMN),
            }),
            &["file_path"],
        ),
        "write" => object_of(
            json!({ "file_path": text(argument::FILE), "content": text(argument::CONTENT) }),
            &["file_path", "content"],
        ),
        "edit" => replacement(),
        "multi_edit" => object_of(
            json!({
                "edits": {
                    "type": "array",
                    "minItems": 1,
                    "items": replacement(),
                    "description": argument::EDITS,
                },
            }),
            &["edits"],
        ),
        "list" => object_of(
            json!({
                "file_path": text(argument::FOLDER),
                "offset": count(argument::FIRST_ENTRY),
                "limit": count(argument::ENTRIES),
            }),
            &[],
        ),
        "bash" => object_of(
            json!({ "command": text(argument::COMMAND), "timeout_ms": count(argument::TIMEOUT) }),
            &["command"],
        ),
        _ => object_of(json!({}), &[]),
    }
}

fn replacement() -> Value {
    object_of(
        json!({
            "file_path": text(argument::FILE),
            "old_string": text(argument::OLD),
            "new_string": text(argument::NEW),
            "replace_all": {
                "type": "boolean",
                "default": false,
                "description": argument::ALL,
            },
        }),
        &["file_path", "old_string", "new_string"],
    )
}

/// Lets the tool ask for one of these modes.
pub(super) fn add_escalation(schema: &mut Value, wider: &[Mode]) {
    let names: Vec<_> = wider.iter().map(|mode| mode.name()).collect();
    let properties = &mut schema["properties"];
    properties["sandbox_permissions"] = json!({
        "type": "string",
        "enum": names,
        "description": argument::PERMISSIONS,
    });
    properties["justification"] = text(argument::JUSTIFICATION);
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// A whole number, counted from 1.
fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 1, "description": description })
}
