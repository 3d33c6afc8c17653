//! The answer of a tool call as JSON sees it.

mod weight;

use dsh_fs::types::{DirEntry, EntryKind, Hunk, LineEndings, Mutation, Removal, TextWindow};
use serde_json::{Value, json};

use crate::failure::CallError;
use crate::imports::operation_name;
use crate::verbs::{
    ChangeAnswer, ListAnswer, MultiEditAnswer, MultiUndoAnswer, ReadAnswer, UndoAnswer,
};

pub(crate) use weight::Weight;

/// The answer of a tool call: what the model reads, and the same as values for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether the call did what was asked.
    pub ok: bool,
    /// The code of a failure.
    pub code: Option<&'static str>,
    /// What the model reads.
    pub text: String,
    /// The facts, of a call that succeeded.
    pub value: Option<Value>,
}

impl Answer {
    fn done(text: String, value: Value) -> Self {
        Self {
            ok: true,
            code: None,
            text,
            value: Some(value),
        }
    }
}

impl From<CallError> for Answer {
    fn from(error: CallError) -> Self {
        Self {
            ok: false,
            code: Some(error.code.name()),
            text: error.text,
            value: None,
        }
    }
}

impl From<ReadAnswer> for Answer {
    fn from(answer: ReadAnswer) -> Self {
        let window = &answer.window;
        let cut = window.cut_lines.iter();
        let value = json!({
            "path": answer.target.display,
            "key": answer.target.key,
            "offset": window.first_line,
            "lines": lines(window),
            "totalLines": window.total_lines,
            "version": window.version,
            "lineEndings": line_endings_name(window.line_endings),
            "finalNewline": window.final_newline,
            "byteOrderMark": window.byte_order_mark,
            "capped": window.capped,
            "cutLines": cut
                .map(|cut| json!({ "line": cut.line, "nextColumn": cut.next_column }))
                .collect::<Vec<_>>(),
        });
        Self::done(answer.text, value)
    }
}

impl From<ChangeAnswer> for Answer {
    fn from(answer: ChangeAnswer) -> Self {
        Self::done(answer.text, mutation(answer.mutation))
    }
}

impl From<UndoAnswer> for Answer {
    fn from(answer: UndoAnswer) -> Self {
        match answer {
            UndoAnswer::Restored(answer) => answer.into(),
            UndoAnswer::RestoredTogether(answer) => together(answer),
            UndoAnswer::Removed(answer) => Self::done(answer.text, removal(&answer.removal)),
        }
    }
}

impl From<MultiEditAnswer> for Answer {
    fn from(answer: MultiEditAnswer) -> Self {
        let changes = answer.changes.into_iter();
        let value = json!({
            "changes": changes.map(|change| mutation(change.mutation)).collect::<Vec<_>>(),
            "survivesACrash": answer.survives_a_crash,
        });
        Self::done(answer.text, value)
    }
}

impl From<ListAnswer> for Answer {
    fn from(answer: ListAnswer) -> Self {
        let value = json!({
            "path": answer.target.display,
            "key": answer.target.key,
            "offset": answer.first_entry,
            "entries": answer.entries.into_iter().map(entry).collect::<Vec<_>>(),
            "totalEntries": answer.total_entries,
        });
        Self::done(answer.text, value)
    }
}

fn lines(window: &TextWindow) -> Vec<Value> {
    // The first line is the component's word: 64 bits hold what comes after its last one.
    let numbered = (u64::from(window.first_line)..).zip(window.text.split_terminator('\n'));
    numbered
        .map(|(number, text)| json!({ "number": number, "text": text }))
        .collect()
}

fn mutation(mutation: Mutation) -> Value {
    let path = mutation.target.display;
    let hunks = mutation.hunks.into_iter();
    let mut value = json!({
        "operation": operation_name(mutation.operation),
        "version": mutation.version,
        "previousVersion": mutation.previous,
        "replacements": mutation.replacements,
        "grade": mutation.grade.name(),
        "gradeReason": mutation.grade_reason,
        "diffs": hunks.map(|hunk| diff(&path, hunk)).collect::<Vec<_>>(),
        "diffsCut": mutation.hunks_cut,
        "key": mutation.target.key,
        "path": path,
    });
    for (name, text) in [("before", mutation.before), ("after", mutation.after)] {
        if let Some(text) = text {
            value[name] = Value::String(text);
        }
    }
    value
}

/// With the same properties as one mutation: those of the last file, the weakest grade of
/// all, and every file below `changes`.
fn together(answer: MultiUndoAnswer) -> Answer {
    let changes = answer.changes.into_iter();
    let changes: Vec<_> = changes.map(|change| change.mutation).collect();
    let weakest = changes.iter().max_by_key(|change| change.grade);
    let grade = weakest.map(|change| (change.grade.name(), change.grade_reason.clone()));
    let mut value = changes.last().cloned().map_or_else(|| json!({}), mutation);
    if let Some((name, reason)) = grade {
        value["grade"] = name.into();
        value["gradeReason"] = reason.into();
    }
    value["changes"] = changes.into_iter().map(mutation).collect();
    Answer::done(answer.text, value)
}

/// With the same properties as a mutation.
fn removal(removal: &Removal) -> Value {
    json!({
        "operation": "remove",
        "version": Value::Null,
        "previousVersion": removal.previous,
        "replacements": Value::Null,
        "grade": removal.grade.name(),
        "gradeReason": removal.grade_reason,
        "diffs": [],
        "diffsCut": false,
        "key": removal.target.key,
        "path": removal.target.display,
    })
}

fn diff(path: &str, hunk: Hunk) -> Value {
    json!({
        "path": path,
        "oldStart": hunk.old_start,
        "newStart": hunk.new_start,
        "oldText": hunk.old_text,
        "newText": hunk.new_text,
    })
}

fn entry(entry: DirEntry) -> Value {
    json!({
        "name": entry.name,
        "type": kind_name(entry.kind),
        "isLink": entry.is_link,
        "size": entry.size,
        "path": entry.target.display,
        "key": entry.target.key,
        "trouble": entry.trouble,
    })
}

fn kind_name(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "file",
        EntryKind::Directory => "directory",
        EntryKind::Symlink => "symlink",
        EntryKind::Other => "other",
    }
}

fn line_endings_name(endings: LineEndings) -> &'static str {
    match endings {
        LineEndings::None => "none",
        LineEndings::Lf => "lf",
        LineEndings::Crlf => "crlf",
        LineEndings::Mixed => "mixed",
    }
}
