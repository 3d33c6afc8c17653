//! Every sentence of the gate that a model reads, and nothing else.
//!
//! Parts of these are protocol: agents and their embedders match on them. Text is joined
//! with `concat` and never with `format!`, which alone would cost the component a third of
//! its size. Paths appear with control characters escaped, so that a file name can neither
//! forge a line of its own nor hide one.

use alloc::string::String;

use crate::{
    ArgumentRefusal, EditRefusal, ErrorCode, EscalationRefusal, ExecutionPolicy, Mode, Outcome,
    PageRefusal,
};

/// The message of a failure, with what to do about it appended where there is something:
/// `FS_STALE_VERSION` and `FS_NOT_OBSERVED`.
pub fn with_remedy(code: ErrorCode, message: &str) -> String {
    let remedy = match code {
        ErrorCode::StaleVersion => " — re-read the file, then retry",
        ErrorCode::NotObserved => " — read the file, then retry",
        _ => "",
    };
    [message, remedy].concat()
}

/// The message of an edit that the gate refused.
pub fn edit_refused(refusal: EditRefusal, display_path: &str) -> String {
    let (before, after) = match refusal {
        EditRefusal::NotObserved => ("edit requires reading \"", "\" first"),
        EditRefusal::Absent => ("cannot edit \"", "\": not found"),
    };
    [before, &shown(display_path), after].concat()
}

/// The sentence for escalation arguments that are not acceptable.
pub fn arguments_refused(refusal: ArgumentRefusal) -> &'static str {
    match refusal {
        ArgumentRefusal::JustificationMissing => {
            "invalid escalation: sandbox_permissions requires a justification"
        }
        ArgumentRefusal::ModeMissing => {
            "invalid escalation: justification is only valid together with sandbox_permissions"
        }
        ArgumentRefusal::JustificationBlank => {
            "invalid justification: expected a non-empty sentence"
        }
        ArgumentRefusal::ModeUnknown => {
            "invalid sandbox_permissions: expected \"workspace-write\" or \"danger-full-access\""
        }
    }
}

/// The sentence for an escalation about which nobody is asked.
pub fn escalation_not_asked(refusal: EscalationRefusal) -> String {
    match refusal {
        EscalationRefusal::NotConfined => String::from(
            "sandbox_permissions is not available in this composition (no sandboxing filesystem to escalate)",
        ),
        EscalationRefusal::NotWider {
            requested,
            effective,
        } => [
            "sandbox escalation to \"",
            requested.name(),
            "\" is not strictly wider than this call's current \"",
            effective.name(),
            "\" mode",
        ]
        .concat(),
        EscalationRefusal::NoApprover(requested) => {
            approval_impossible(requested, "no approval service is composed")
        }
        EscalationRefusal::NoOwner(requested) => {
            approval_impossible(requested, "the call has no agent to route it through")
        }
    }
}

/// The sentence for an escalation that was asked for and not approved.
pub fn escalation_refused(requested: Mode, outcome: Outcome) -> String {
    match outcome {
        Outcome::Rejected => [
            "the user rejected escalating this operation to \"",
            requested.name(),
            "\"",
        ]
        .concat(),
        Outcome::Cancelled => [
            "approval for escalating to \"",
            requested.name(),
            "\" was cancelled",
        ]
        .concat(),
        Outcome::Unavailable => approval_impossible(requested, "no approval channel is available"),
    }
}

fn approval_impossible(requested: Mode, reason: &str) -> String {
    [
        "sandbox escalation to \"",
        requested.name(),
        "\" requires approval, but ",
        reason,
    ]
    .concat()
}

/// The line that marks a denial.
pub fn denial_marker(mode: Mode) -> String {
    ["[sandbox: file access denied under ", mode.name(), " mode]"].concat()
}

/// The line that tells a model how to ask for more.
pub fn escalation_hint() -> &'static str {
    "[sandbox: escalation available — retry this exact operation once with sandbox_permissions (the narrowest wider mode that suffices) + justification; the approval prompt asks the user]"
}

/// The sentence that describes a policy to a model. Under `workspace-write` it names the
/// root as a JSON string.
pub fn describe_policy(policy: &ExecutionPolicy) -> String {
    match policy.mode {
        Mode::ReadOnly => String::from(
            "File tools run in sandbox mode \"read-only\": files can be read, and every write or edit is denied.",
        ),
        Mode::WorkspaceWrite => [
            "File tools run in sandbox mode \"workspace-write\": files can be read, and written beneath the workspace root ",
            &json_string(&policy.workspace_root),
            " and the temporary directories that the host allows.",
        ]
        .concat(),
        Mode::DangerFullAccess => String::from(
            "File tools run in sandbox mode \"danger-full-access\": files can be read and written anywhere that the operating system permits.",
        ),
    }
}

/// The reason why a page of a snapshot was not taken in.
pub fn page_refused(refusal: PageRefusal) -> &'static str {
    match refusal {
        PageRefusal::NotAPage => "this is not a page of a ledger snapshot",
        PageRefusal::OtherFormat => "this page has a format that this gate does not know",
        PageRefusal::BrokenHeader => "the first line of this page is damaged",
        PageRefusal::BrokenLine => "a line of this page is damaged",
        PageRefusal::WrongCount => "this page has more or fewer lines than its first line says",
        PageRefusal::OtherSeed => {
            "this page was made under another seed, and the ledger is not empty"
        }
    }
}

/// A path as it may stand in a line of text.
fn shown(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for c in path.chars() {
        push_visible(&mut text, c);
    }
    text
}

/// A text as a JSON string, quotes included.
fn json_string(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push('"');
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        push_visible(&mut text, c);
    }
    text.push('"');
    text
}

/// Appends a character, or its JSON escape where it would break or reorder the line.
fn push_visible(text: &mut String, c: char) {
    match c {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if c.is_control() || breaks_or_reorders(c) => push_escape(text, c as u32),
        c => text.push(c),
    }
}

/// The separators and the direction marks of Unicode, which are no control characters.
fn breaks_or_reorders(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Appends `\uXXXX`; every character that is escaped fits into four digits.
fn push_escape(text: &mut String, code: u32) {
    text.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        text.push(char::from_digit(code >> shift & 15, 16).unwrap_or('0'));
    }
}
