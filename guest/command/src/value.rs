//! The facts of an answer as JSON, with the names that `dsh-fs run` gives them.

use serde_json::{Value, json};

use crate::bindings::dsh::fs::tools::{ListAnswer, ReadAnswer};
use crate::bindings::dsh::fs::types::{
    DirEntry, EntryKind, Grade, Hunk, LineEndings, Mutation, Operation,
};

/// A window of a file.
pub(crate) fn read(answer: &ReadAnswer) -> Value {
    let window = &answer.window;
    let lines = (window.first_line..).zip(window.text.split_terminator('\n'));
    let cut = window.cut_lines.iter();
    json!({
        "path": answer.target.display_path,
        "key": answer.target.key,
        "offset": window.first_line,
        "lines": lines
            .map(|(number, text)| json!({ "number": number, "text": text }))
            .collect::<Vec<_>>(),
        "totalLines": window.total_lines,
        "version": window.version,
        "lineEndings": match window.line_endings {
            LineEndings::None => "none",
            LineEndings::Lf => "lf",
            LineEndings::Crlf => "crlf",
            LineEndings::Mixed => "mixed",
        },
        "finalNewline": window.final_newline,
        "byteOrderMark": window.byte_order_mark,
        "capped": window.capped,
        "cutLines": cut
            .map(|cut| json!({ "line": cut.line, "nextColumn": cut.next_column }))
            .collect::<Vec<_>>(),
    })
}

/// What a change did, and how firmly.
pub(crate) fn change(mutation: &Mutation) -> Value {
    let path = &mutation.target.display_path;
    let hunks = mutation.hunks.iter();
    json!({
        "operation": match mutation.operation {
            Operation::Create => "create",
            Operation::Update => "update",
        },
        "version": mutation.version,
        "previousVersion": mutation.previous,
        "replacements": mutation.replacements,
        "grade": match mutation.grade {
            Grade::Atomic => "atomic",
            Grade::LeaseChecked => "lease-checked",
            Grade::BestEffort => "best-effort",
        },
        "gradeReason": mutation.grade_reason,
        "diffs": hunks.map(|hunk| region(path, hunk)).collect::<Vec<_>>(),
        "diffsCut": mutation.hunks_cut,
        "key": mutation.target.key,
        "path": path,
    })
}

fn region(path: &str, hunk: &Hunk) -> Value {
    json!({
        "path": path,
        "oldStart": hunk.old_start,
        "newStart": hunk.new_start,
        "oldText": hunk.old_text,
        "newText": hunk.new_text,
    })
}

/// A window of a directory.
pub(crate) fn list(answer: &ListAnswer) -> Value {
    json!({
        "path": answer.target.display_path,
        "key": answer.target.key,
        "offset": answer.first_entry,
        "entries": answer.entries.iter().map(entry).collect::<Vec<_>>(),
        "totalEntries": answer.total_entries,
    })
}

fn entry(entry: &DirEntry) -> Value {
    json!({
        "name": entry.name,
        "type": match entry.kind {
            EntryKind::File => "file",
            EntryKind::Directory => "directory",
            EntryKind::Symlink => "symlink",
            EntryKind::Other => "other",
        },
        "isLink": entry.is_link,
        "size": entry.size,
        "path": entry.target.display_path,
        "key": entry.target.key,
        "trouble": entry.trouble,
    })
}
