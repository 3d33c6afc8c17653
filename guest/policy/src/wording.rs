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
    spelling::{push, push_hex, split_first},
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
        } => escalation(
            requested,
            "is not strictly wider than this call's current \"",
            &named("", effective, "\" mode"),
        ),
        EscalationRefusal::NoApprover(requested) => escalation(
            requested,
            APPROVAL_IMPOSSIBLE,
            "no approval service is composed",
        ),
        EscalationRefusal::NoOwner(requested) => escalation(
            requested,
            APPROVAL_IMPOSSIBLE,
            "the call has no agent to route it through",
        ),
    }
}

/// The sentence for an escalation that was asked for and not approved.
pub fn escalation_refused(requested: Mode, outcome: Outcome) -> String {
    match outcome {
        Outcome::Rejected => named(
            "the user rejected escalating this operation to \"",
            requested,
            "\"",
        ),
        Outcome::Cancelled => named(
            "approval for escalating to \"",
            requested,
            "\" was cancelled",
        ),
        Outcome::Unavailable => escalation(
            requested,
            APPROVAL_IMPOSSIBLE,
            "no approval channel is available",
        ),
    }
}

const APPROVAL_IMPOSSIBLE: &str = "requires approval, but ";

fn escalation(requested: Mode, what: &str, detail: &str) -> String {
    let about = named("sandbox escalation to \"", requested, "\" ");
    [&about, what, detail].concat()
}

/// The line that marks a denial.
pub fn denial_marker(mode: Mode) -> String {
    named("[sandbox: file access denied under ", mode, " mode]")
}

fn named(before: &str, mode: Mode, after: &str) -> String {
    [before, mode.name(), after].concat()
}

/// The line that tells a model how to ask for more.
pub fn escalation_hint() -> &'static str {
    "[sandbox: escalation available — retry this exact operation once with sandbox_permissions (the narrowest wider mode that suffices) + justification; the approval prompt asks the user]"
}

/// The sentence that describes a policy to a model. Under `workspace-write` it names the
/// root as a JSON string.
pub fn describe_policy(policy: &ExecutionPolicy) -> String {
    let (access, root, end) = match policy.mode {
        Mode::ReadOnly => (", and every write or edit is denied.", String::new(), ""),
        Mode::WorkspaceWrite => (
            ", and written beneath the workspace root ",
            json_string(&policy.workspace_root),
            " and other directories that the host allows.",
        ),
        Mode::DangerFullAccess => (
            " and written anywhere that the operating system permits.",
            String::new(),
            "",
        ),
    };
    let before = "File tools run in sandbox mode \"";
    let mode = named(before, policy.mode, "\": files can be read");
    [&mode, access, &root, end].concat()
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
    escaped(path, false)
}

/// A text as a JSON string, quotes included.
fn json_string(value: &str) -> String {
    ["\"", &escaped(value, true), "\""].concat()
}

/// A text with some of its characters escaped as JSON escapes them: those that would break
/// or reorder a line, the backslash that begins an escape, and quotes where the text
/// stands in a JSON string.
fn escaped(value: &str, in_json: bool) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((c, plain, after)) = split_first(rest) {
        if breaks_or_reorders(c) || c == '\\' || in_json && c == '"' {
            push_escape(&mut text, c);
        } else {
            push(&mut text, plain);
        }
        rest = after;
    }
    text
}

/// Control characters, and the separators and direction marks of Unicode.
fn breaks_or_reorders(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Appends the escape of a character; every one that is escaped fits into four digits.
fn push_escape(text: &mut String, c: char) {
    let short = match c {
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '"' => "\\\"",
        '\\' => "\\\\",
        _ => "\\u",
    };
    push(text, short);
    if short == "\\u" {
        push_hex(text, c.into(), 4);
    }
}
