//! What people read, and the sentences that the host adds to a refusal.

pub(crate) mod multi;

use dsh_fs::name::shown;
use dsh_fs::types::Mode;

use crate::approver::Question;

/// The most characters of a justification that a person is shown.
const JUSTIFICATION_CHARS: usize = 2_000;

/// The question as a person reads it, on several lines.
#[must_use]
pub fn question(question: &Question) -> String {
    let reach = match question.mode {
        Mode::ReadOnly => "no change at all",
        Mode::WorkspaceWrite => "a change inside the workspace",
        Mode::DangerFullAccess => "a change anywhere on this machine",
    };
    format!(
        "The tool {} asks to change one file, once:\n  {}\nMode: {} ({reach})\n\
         The model's reason (a claim, not checked): {}",
        question.tool,
        question.path,
        question.mode.name(),
        question.justification,
    )
}

/// A justification as a person may be shown it: bounded, on one line, and with everything
/// written out that could rewrite the lines around it.
pub(crate) fn shown_justification(text: &str) -> String {
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

pub(crate) fn undo_of_creation(path: &str) -> String {
    format!("cannot undo: the last change created \"{path}\", and undo removes no files")
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

pub(crate) fn undo_elsewhere(path: &str) -> String {
    let path = shown(path);
    format!("cannot write \"{path}\": it is not the file whose change is being taken back")
}
