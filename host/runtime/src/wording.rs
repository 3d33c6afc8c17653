//! What people read, and the sentences that the host adds to a refusal.

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

/// A text of somebody else's as a person may be shown it: control characters, and those
/// that change the direction or hide, are written out, so that no text can rewrite the
/// lines around it.
#[must_use]
pub fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_deceptive(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// A justification as a person may be shown it: bounded, and one line.
pub(crate) fn shown_justification(text: &str) -> String {
    let mut characters = text.chars();
    let bounded: String = characters.by_ref().take(JUSTIFICATION_CHARS).collect();
    let rest = if characters.next().is_some() { " [cut]" } else { "" };
    format!("{}{rest}", shown(&bounded))
}

fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

pub(crate) fn open_denied(asked: Mode) -> String {
    format!("this session may not open files under {} mode", asked.name())
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
