//! Sentences about several changes that stand or fall together.

use std::fmt::Write;

use dsh_fs::name::shown;
use dsh_fs::transaction::RolledBack;

use crate::failure::CallError;
use crate::verbs::ChangeAnswer;

pub(crate) fn no_edits() -> String {
    "invalid arguments: \"edits\" must hold at least one edit".into()
}

pub(crate) fn too_many_edits(most: usize) -> String {
    format!("invalid arguments: \"edits\" may hold at most {most} edits")
}

pub(crate) fn half_an_escalation() -> String {
    "invalid arguments: \"sandbox_permissions\" and \"justification\" go together".into()
}

pub(crate) fn wrong_edits() -> String {
    "invalid arguments: \"edits\" must be a list of objects".into()
}

/// Every change, in the words that it has by itself.
pub(crate) fn made(changes: &[ChangeAnswer], survives_a_crash: bool) -> String {
    let count = changes.len();
    let mut text = format!("Made all {count} edits.");
    for (number, change) in changes.iter().enumerate() {
        let _ = write!(text, "\n{}. {}", number + 1, change.text);
    }
    if !survives_a_crash {
        text.push_str(
            "\nNo journal is kept here: a crash in the middle would have left some of them.",
        );
    }
    text
}

/// The failure of one change, and what became of the others.
pub(crate) fn failed(
    error: CallError,
    which: Option<(usize, &str)>,
    count: usize,
    back: &RolledBack,
) -> CallError {
    let mut told = match which {
        Some((number, path)) => {
            format!(
                "Edit {} of {count} (\"{}\") failed.",
                number + 1,
                shown(path)
            )
        }
        None => "No edit failed, but they could not be finished together.".into(),
    };
    match back.is_complete() {
        true => told.push_str(" Every change was taken back: no file is changed."),
        false => left(&mut told, "Every other change was taken back, but", back),
    }
    with_line(error, &told)
}

pub(crate) fn undone(paths: &[String]) -> String {
    let count = paths.len();
    let paths = paths.join(", ");
    format!("Took back the last multi_edit: {count} files have their former content again: {paths}")
}

/// An undo that failed, and what became of the files that it had taken back already.
pub(crate) fn undo_failed(error: CallError, back: &RolledBack) -> CallError {
    let mut told = String::from("The last multi_edit is taken back as a whole or not at all.");
    match back.is_complete() {
        true => told.push_str(" Nothing was taken back."),
        false => left(&mut told, "But it is in between now, since", back),
    }
    with_line(error, &told)
}

fn left(told: &mut String, what: &str, back: &RolledBack) {
    let _ = write!(told, " {what} these files are left as they are now:");
    for left in back.not_restored() {
        let _ = write!(told, "\n  {}: {}", left.path, left.reason);
    }
}

fn with_line(error: CallError, line: &str) -> CallError {
    CallError {
        text: format!("{}\n{line}", error.text),
        message: format!("{} {line}", error.message),
        ..error
    }
}

pub(crate) fn not_a_part(verb: &str, path: &str) -> String {
    let path = shown(path);
    format!("cannot {verb} \"{path}\": it is not a part of the changes that are being made")
}

pub(crate) fn restored_already(path: &str) -> String {
    format!(
        "cannot write \"{}\": it has its former content already",
        shown(path)
    )
}

pub(crate) fn not_restored(path: &str, reason: &str) -> String {
    format!("cannot write \"{}\": {reason}", shown(path))
}
