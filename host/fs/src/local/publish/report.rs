//! The answer of a mutation that was made.

use super::PublishOptions;
use crate::diff::{self, Hunks};
use crate::types::{Grade, Mutation, Operation, Report, Target};

/// What is known of it.
pub(super) struct Facts<'f> {
    pub(super) operation: Operation,
    pub(super) target: &'f Target,
    pub(super) version: String,
    pub(super) previous: Option<String>,
    pub(super) replacements: Option<u32>,
    pub(super) grade: Grade,
    pub(super) reason: Option<&'static str>,
    /// The old text, where it is text and was kept.
    pub(super) before: Option<String>,
    /// The new text, where it is at hand.
    pub(super) after: Option<&'f str>,
}

/// Puts the answer together; texts and changed regions only if they were asked for.
pub(super) fn mutation(options: &PublishOptions, report: Report, facts: Facts<'_>) -> Mutation {
    let hunks = match report.hunks && facts.operation == Operation::Update {
        true => hunks(options, &facts),
        false => Hunks::default(),
    };
    let texts = report.texts;
    Mutation {
        operation: facts.operation,
        target: facts.target.clone(),
        version: facts.version,
        previous: facts.previous,
        replacements: facts.replacements,
        grade: facts.grade,
        grade_reason: facts.reason.map(str::to_owned),
        hunks: hunks.hunks,
        hunks_cut: hunks.cut,
        before: facts.before.filter(|_| texts),
        after: facts.after.filter(|_| texts).map(str::to_owned),
    }
}

/// The bytes as text without a byte order mark, if they are text.
pub(super) fn text(mut bytes: Vec<u8>) -> Option<String> {
    let (byte_order_mark, _) = dsh_fs_text::utf8::check(&bytes).ok()?;
    if byte_order_mark {
        bytes.drain(..'\u{FEFF}'.len_utf8());
    }
    String::from_utf8(bytes).ok()
}

fn hunks(options: &PublishOptions, facts: &Facts<'_>) -> Hunks {
    let small = |text: &&str| (text.len() as u64) < options.diff_limit;
    let before = facts.before.as_deref().filter(small);
    match (before, facts.after.filter(small)) {
        (Some(before), Some(after)) => diff::hunks(before, after, options.max_hunks),
        _ => Hunks {
            hunks: Vec::new(),
            cut: true,
        },
    }
}
