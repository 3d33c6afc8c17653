//! Tells what became of the vectors: failures, a line a tier, and the counts.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use crate::run::{Outcome, Verdict};
use crate::tier::Tier;

/// How many vectors passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every expectation met.
    pub passed: usize,
    /// Not met.
    pub failed: usize,
    /// Not run.
    pub skipped: usize,
}

impl Counts {
    /// Counts verdicts.
    pub fn of<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Self {
        verdicts.fold(Self::default(), |mut counts, verdict| {
            match verdict {
                Verdict::Passed => counts.passed += 1,
                Verdict::Failed(_) => counts.failed += 1,
                Verdict::Skipped(_) => counts.skipped += 1,
            }
            counts
        })
    }

    /// The line by which every report ends.
    #[must_use]
    pub fn line(self) -> String {
        format!(
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

/// The report for people: failures, skipped by reason, tiers, and the counts last.
#[must_use]
pub fn text(outcomes: &[Outcome], list_skipped: bool) -> String {
    let mut out = String::new();
    for outcome in outcomes {
        failures(&mut out, outcome);
    }
    skipped(&mut out, outcomes, list_skipped);
    for tier in [Tier::Native, Tier::Gate, Tier::Host, Tier::Adapter] {
        let counts = Counts::of(in_tier(outcomes, tier));
        if counts.passed + counts.failed == 0 {
            continue;
        }
        let line = format!(
            "{}: {} passed, {} failed",
            tier.name(),
            counts.passed,
            counts.failed
        );
        out.push_str(&line);
        out.push('\n');
    }
    let counts = Counts::of(outcomes.iter().map(|outcome| &outcome.verdict));
    out.push_str(&counts.line());
    out.push('\n');
    out
}

/// The report for programs: one object a vector, and the counts last.
#[must_use]
pub fn json(outcomes: &[Outcome]) -> String {
    let mut out = String::new();
    for outcome in outcomes {
        let tiers: serde_json::Map<String, serde_json::Value> = outcome
            .tiers
            .iter()
            .map(|(tier, verdict)| (tier.name().to_owned(), json!(word(verdict))))
            .collect();
        let line = json!({
            "id": outcome.id,
            "verdict": word(&outcome.verdict),
            "reason": reason(&outcome.verdict),
            "tiers": tiers,
        });
        out.push_str(&line.to_string());
        out.push('\n');
    }
    let counts = Counts::of(outcomes.iter().map(|outcome| &outcome.verdict));
    out.push_str(&counts.line());
    out.push('\n');
    out
}

fn failures(out: &mut String, outcome: &Outcome) {
    let mut told = false;
    for (tier, verdict) in &outcome.tiers {
        if let Verdict::Failed(reason) = verdict {
            writeln!(out, "FAILED {} ({}): {reason}", outcome.id, tier.name()).expect("a string");
            told = true;
        }
    }
    if let (false, Verdict::Failed(reason)) = (told, &outcome.verdict) {
        writeln!(out, "FAILED {}: {reason}", outcome.id).expect("a string");
    }
}

fn skipped(out: &mut String, outcomes: &[Outcome], list: bool) {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for outcome in outcomes {
        if let Verdict::Skipped(reason) = &outcome.verdict {
            reasons.entry(reason).or_default().push(&outcome.id);
        }
    }
    for (reason, ids) in reasons {
        writeln!(out, "skipped {}: {reason}", ids.len()).expect("a string");
        if list {
            writeln!(out, "    {}", ids.join(" ")).expect("a string");
        }
    }
}

fn in_tier(outcomes: &[Outcome], tier: Tier) -> impl Iterator<Item = &Verdict> {
    outcomes
        .iter()
        .flat_map(|outcome| &outcome.tiers)
        .filter(move |(of, _)| *of == tier)
        .map(|(_, verdict)| verdict)
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed(_) => "failed",
        Verdict::Skipped(_) => "skipped",
    }
}

fn reason(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Passed => None,
        Verdict::Failed(reason) | Verdict::Skipped(reason) => Some(reason),
    }
}
