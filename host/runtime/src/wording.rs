//! What people read, and the sentences that the host adds to a refusal.

pub(crate) mod multi;

use dsh_fs::name::shown;
use dsh_fs::types::Mode;

use crate::approver::{Change, ChangeKind, Question};

/// The most characters of a justification that a person is shown.
const JUSTIFICATION_CHARS: usize = 2_000;

/// Below a line of a diff that has no ending.
pub(crate) const NO_LINE_ENDING: &str = "\\ no line ending here";

/// The question as a person reads it, on several lines, with what a lasting answer means:
/// for who offers one.
#[must_use]
pub fn question(question: &Question) -> String {
    let what = match is_command(question) {
        true => "may run exactly this command",
        false => "may change this file",
    };
    let how = match is_command(question) {
        true => "",
        false => " in whatever way,",
    };
    format!(
        "{}\nYes for the session: {tool} {what} under {mode} again,{how} until the session is \
         forgotten or the permission is revoked.\n\
         Yes for the workspace: the same in every session of {root}.",
        question_once(question),
        tool = question.tool,
        mode = question.mode.name(),
        root = shown(&question.workspace_root),
    )
}

/// The question as a person reads it, on several lines: for who can only say yes or no.
#[must_use]
pub fn question_once(question: &Question) -> String {
    if is_command(question) {
        return command_once(question);
    }
    let reach = match question.mode {
        Mode::ReadOnly => "no change at all",
        Mode::WorkspaceWrite => "a change inside the workspace",
        Mode::DangerFullAccess => "a change anywhere on this machine",
    };
    let change = question.change.as_ref().map_or_else(String::new, change);
    format!(
        "The tool {} asks to change one file, once:\n  {}\nMode: {} ({reach})\n\
         The model's reason (a claim, not checked): {}{change}",
        question.tool,
        question.path,
        question.mode.name(),
        question.justification,
    )
}

/// Whether a question is about a command and not about a file.
fn is_command(question: &Question) -> bool {
    question.tool == "bash"
}

fn command_once(question: &Question) -> String {
    let reach = match question.mode {
        Mode::ReadOnly => "it may change nothing",
        Mode::WorkspaceWrite => "it may change what is inside the workspace",
        Mode::DangerFullAccess => "it may do whatever this user may, unconfined",
    };
    format!(
        "The tool bash asks to run one command, once:\n  {}\nMode: {} ({reach})\n\
         The model's reason (a claim, not checked): {}",
        question.path,
        question.mode.name(),
        question.justification,
    )
}

/// The change of a question. Every line of it is set in, so that none can be taken for one
/// of the question's own.
fn change(change: &Change) -> String {
    let what = match change.kind {
        ChangeKind::Creates => "It creates the file, with this content:",
        ChangeKind::Replaces if change.lines.is_empty() && !change.cut => {
            "It writes what the file holds already."
        }
        ChangeKind::Replaces => "It replaces the content of the file:",
        ChangeKind::ReplacesUnread => {
            "It replaces the content of the file (not compared: too large, or no text) by this:"
        }
        ChangeKind::Removes => "It removes the file, which it had created.",
        ChangeKind::Edits => "It replaces one place in the file:",
        ChangeKind::EditsAll => "It replaces every such place in the file:",
    };
    let mut text = format!("\n{what}");
    for line in &change.lines {
        text.push_str("\n  ");
        text.push_str(line);
    }
    if change.cut {
        text.push_str("\n  [cut: the change is larger than what is shown]");
    }
    text
}

/// A justification as a person may be shown it: bounded, on one line, and with everything
/// written out that could rewrite the lines around it.
#[must_use]
pub fn shown_justification(text: &str) -> String {
    let mut characters = text.chars();
    let bounded: String = characters.by_ref().take(JUSTIFICATION_CHARS).collect();
    let rest = if characters.next().is_some() {
        " [cut]"
    } else {
        ""
    };
    format!("{}{rest}", shown(&bounded))
}

pub(crate) fn open_denied(asked: Mode) -> String {
    format!(
        "this session may not open files under {} mode",
        asked.name()
    )
}

pub(crate) fn handle_too_wide(verb: &str, path: &str, mode: Mode) -> String {
    format!(
        "cannot {verb} \"{path}\": the session's mode is narrower than {} by now",
        mode.name()
    )
}

pub(crate) fn grant_over(verb: &str, path: &str) -> String {
    format!("cannot {verb} \"{path}\": the permission ended with the call it was given for")
}

pub(crate) fn grant_refused(reason: &str) -> String {
    format!("the permission is not good for this: {reason}")
}

pub(crate) fn changed_since_the_question(path: &str) -> String {
    format!(
        "cannot write \"{}\": it was changed since the person was asked",
        shown(path)
    )
}

pub(crate) fn answer_too_large(most: usize) -> String {
    format!("its answer would take more than {most} bytes")
}

pub(crate) fn too_many_events(most: u32) -> String {
    format!("it did more than {most} things in one call that are written down")
}

pub(crate) fn session_ended(reason: &str) -> String {
    format!("the component broke, and this session has ended: {reason}")
}

pub(crate) fn workspace_missing(path: &str) -> String {
    format!(
        "cannot start a session in \"{}\": there is no such directory",
        shown(path)
    )
}

pub(crate) fn workspace_no_directory(path: &str) -> String {
    format!(
        "cannot start a session in \"{}\": it is not a directory",
        shown(path)
    )
}

pub(crate) fn argument_too_large(name: &str, most: usize) -> String {
    format!("{name} must have at most {most} bytes")
}

pub(crate) fn unknown_tool(name: &str) -> String {
    format!("unknown tool \"{}\"", shown(name))
}

pub(crate) fn missing_argument(name: &str) -> String {
    format!("invalid arguments: missing required property \"{name}\"")
}

pub(crate) fn wrong_argument(name: &str, kind: &str) -> String {
    format!("invalid arguments: \"{name}\" must be a {kind}")
}

pub(crate) fn no_arguments() -> String {
    "invalid arguments: expected an object".into()
}

pub(crate) fn too_many_entries(path: &str, entries: usize) -> String {
    format!(
        "cannot list \"{}\": {entries} entries are more than can be handed over at once",
        shown(path)
    )
}

pub(crate) fn undone(path: &str) -> String {
    format!("Took back the last change of {path}: it has its former content again.")
}

pub(crate) fn no_history() -> String {
    "cannot undo: no old texts are kept".into()
}

pub(crate) fn nothing_to_undo() -> String {
    "cannot undo: there is no change of this session that could be taken back".into()
}

pub(crate) fn no_changes() -> String {
    "these are not the changes of a session".into()
}

pub(crate) fn undone_creation(path: &str) -> String {
    format!("Took back the last change of {path}, which created it: the file is removed.")
}

pub(crate) fn removed(path: &str) -> String {
    format!(
        "\"{}\" is removed: its creation was taken back",
        shown(path)
    )
}

pub(crate) fn undo_gone(path: &str) -> String {
    format!(
        "cannot undo the last change of \"{path}\", which created it: the file is gone \
         already; the next undo goes on with the change before it"
    )
}

pub(crate) fn undo_text_gone(path: &str) -> String {
    format!("cannot undo the last change of \"{path}\": its former text is not kept")
}

pub(crate) fn undo_no_text(path: &str) -> String {
    format!("cannot undo the last change of \"{path}\": its former content was not text")
}

pub(crate) fn undo_stale(path: &str) -> String {
    format!(
        "cannot undo the last change of \"{path}\": the file was changed since, and that \
         would be lost"
    )
}

pub(crate) fn undo_elsewhere(verb: &str, path: &str) -> String {
    let path = shown(path);
    format!("cannot {verb} \"{path}\": it is not the file whose change is being taken back")
}
