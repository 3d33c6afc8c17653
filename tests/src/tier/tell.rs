//! Results of the provider, as vectors state them.

use dsh_fs::error::Error;
use dsh_fs::types::{DirEntry, EntryKind, Info, Mutation, Operation, PathInfo};
use serde_json::{Value, json};

/// A failed operation.
pub(super) fn failure(error: &Error) -> Value {
    json!({"fails": error.code.name(), "message": error.message, "detail": error.detail})
}

/// Facts about a target.
pub(super) fn info(info: &Info) -> Value {
    with_size(json!({"type": kind(info.kind)}), info.size)
}

/// Facts about a path.
pub(super) fn path_info(info: &PathInfo) -> Value {
    let told = json!({"type": kind(info.kind), "link_target": info.link_target});
    with_size(told, info.size)
}

/// One child of a directory.
pub(super) fn entry(entry: &DirEntry) -> Value {
    let told = json!({
        "name": entry.name,
        "type": kind(entry.kind),
        "is_link": entry.is_link,
        "display": entry.target.display,
        "key": entry.target.key,
        "trouble": entry.trouble,
    });
    with_size(told, entry.size)
}

/// What a mutation did.
pub(super) fn mutation(mutation: &Mutation) -> Value {
    json!({
        "operation": match mutation.operation {
            Operation::Create => "create",
            Operation::Update => "update",
        },
        "key": mutation.target.key,
        "version": mutation.version,
        "previous": mutation.previous,
        "replacements": mutation.replacements,
        "grade": mutation.grade.name(),
        "before": mutation.before,
        "after": mutation.after,
    })
}

/// What came of several operations at once, codes in order.
pub(super) fn several(results: &[Value]) -> Value {
    let mut codes: Vec<&str> = results
        .iter()
        .filter_map(|result| result["fails"].as_str())
        .collect();
    codes.sort_unstable();
    json!({"ok": results.len() - codes.len(), "codes": codes})
}

fn with_size(mut told: Value, size: Option<u64>) -> Value {
    if let Some(size) = size {
        told["size"] = json!(size);
    }
    told
}

fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "file",
        EntryKind::Directory => "directory",
        EntryKind::Symlink => "symlink",
        EntryKind::Other => "other",
    }
}
