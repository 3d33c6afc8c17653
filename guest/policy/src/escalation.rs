//! Whether a call may ask a person for wider permissions, before anybody is asked.

use crate::{Mode, spelling::split_first};

/// Why the two escalation arguments of a call are not acceptable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentRefusal {
    /// A mode without a justification.
    JustificationMissing,
    /// A justification without a mode.
    ModeMissing,
    /// A justification that says nothing.
    JustificationBlank,
    /// A mode that does not exist.
    ModeUnknown,
}

/// Checks `sandbox_permissions` and `justification` as the model sent them, and answers
/// the mode asked for, if any: both or neither, then a justification that is not blank,
/// then a mode that exists.
///
/// Whether the mode is wider than what the call has is [`judge_escalation`]'s question.
pub fn check_escalation(
    requested: Option<&str>,
    justification: Option<&str>,
) -> Result<Option<Mode>, ArgumentRefusal> {
    let (name, reason) = match (requested, justification) {
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(ArgumentRefusal::JustificationMissing),
        (None, Some(_)) => return Err(ArgumentRefusal::ModeMissing),
        (Some(name), Some(reason)) => (name, reason),
    };
    if is_blank(reason) {
        return Err(ArgumentRefusal::JustificationBlank);
    }
    match Mode::parse(name) {
        Ok(mode) => Ok(Some(mode)),
        Err(_) => Err(ArgumentRefusal::ModeUnknown),
    }
}

/// Whether nothing of a text would be seen by the person who is to judge it.
fn is_blank(mut text: &str) -> bool {
    while let Some((first, _, rest)) = split_first(text) {
        if !is_invisible(first) {
            return false;
        }
        text = rest;
    }
    true
}

/// White space, control characters, and characters without a width.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\0'..=' ' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{1680}' 
        | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}'
        | '\u{300}'..='\u{36f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3000}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// What an escalation needs besides a wider mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    /// The mode the call has without it.
    pub effective: Mode,
    /// Whether the provider confines at all.
    pub confined: bool,
    /// Whether anybody can be asked.
    pub approver: bool,
    /// Whether the call belongs to a session through which to ask.
    pub owner: bool,
}

/// Why nobody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscalationRefusal {
    /// The provider does not confine, so there is nothing to widen.
    NotConfined,
    /// The mode asked for is not wider than the one the call has.
    NotWider {
        /// The mode asked for.
        requested: Mode,
        /// The mode the call has.
        effective: Mode,
    },
    /// Nobody can be asked.
    NoApprover(Mode),
    /// The call has no session through which to ask.
    NoOwner(Mode),
}

/// Judges whether a person may be asked for this mode. The first obstacle counts: no
/// confinement, a mode that is not strictly wider, no approver, no owner.
pub fn judge_escalation(
    requested: Mode,
    circumstances: Circumstances,
) -> Result<(), EscalationRefusal> {
    let effective = circumstances.effective;
    if !circumstances.confined {
        Err(EscalationRefusal::NotConfined)
    } else if !requested.is_wider_than(effective) {
        Err(EscalationRefusal::NotWider {
            requested,
            effective,
        })
    } else if !circumstances.approver {
        Err(EscalationRefusal::NoApprover(requested))
    } else if !circumstances.owner {
        Err(EscalationRefusal::NoOwner(requested))
    } else {
        Ok(())
    }
}

/// An answer that is not a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The person said no.
    Rejected,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked.
    Unavailable,
}
