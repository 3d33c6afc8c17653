//! The table of `tests/kit/RESULTS.md`: what became of the vectors in each implementation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::report::Counts;
use crate::run::{Outcome, Verdict};
use crate::tier::Tier;

/// Skipped vectors by the reason.
type Reasons = BTreeMap<String, usize>;

/// One implementation, or one way through ours.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What runs there.
    pub what: String,
    /// What became of the vectors; together they are all.
    pub counts: Counts,
    /// Why vectors were skipped.
    pub reasons: Reasons,
}

impl Row {
    /// A row of verdicts.
    pub fn of<'a>(name: &str, what: &str, verdicts: impl Iterator<Item = &'a Verdict>) -> Self {
        let verdicts: Vec<&Verdict> = verdicts.collect();
        let mut reasons = Reasons::new();
        for verdict in &verdicts {
            if let Verdict::Skipped(reason) = verdict {
                *reasons.entry(reason.clone()).or_default() += 1;
            }
        }
        Self {
            name: name.to_owned(),
            what: what.to_owned(),
            counts: Counts::of(verdicts.into_iter()),
            reasons,
        }
    }

    fn line(&self) -> String {
        let Counts {
            passed,
            failed,
            skipped,
        } = self.counts;
        let (name, what) = (&self.name, &self.what);
        format!("| {name} | {what} | {passed} | {failed} | {skipped} |")
    }
}

/// The three ways through ours.
#[must_use]
pub fn ours(outcomes: &[Outcome]) -> Vec<Row> {
    let rows = [
        (
            Tier::Native,
            "native",
            "`guest/policy`, `guest/text` as Rust",
        ),
        (Tier::Gate, "component", "the gate as a component"),
        (Tier::Host, "host", "the whole of it on Linux"),
    ];
    let row = |(tier, name, what)| {
        let verdicts = outcomes.iter().flat_map(|outcome| &outcome.tiers);
        let of_it = verdicts.filter(|(of, _)| *of == tier);
        Row::of(name, what, of_it.map(|(_, verdict)| verdict))
    };
    rows.into_iter().map(row).collect()
}

/// What waits: vectors that no way through ours can run.
#[must_use]
pub fn waiting(outcomes: &[Outcome]) -> Row {
    let verdicts = outcomes.iter().map(|outcome| &outcome.verdict);
    Row::of("waiting", "", verdicts)
}

/// The whole file; `with` are the versions of what was run.
#[must_use]
pub fn written(outcomes: &[Outcome], others: &[Row], with: &[String]) -> String {
    let waiting = waiting(outcomes);
    let known: BTreeSet<&String> = waiting.reasons.keys().collect();
    let rows: Vec<Row> = ours(outcomes).into_iter().chain(others.to_vec()).collect();
    let mut out = String::from(HEAD);
    for row in &rows {
        writeln!(out, "{}", row.line()).expect("a string");
    }
    writeln!(out, "\nRun with {}.", with.join(", ")).expect("a string");
    let (all, skipped) = (outcomes.len(), waiting.counts.skipped);
    let told = format!("\n## Waiting everywhere: {skipped} of {all}\n");
    writeln!(out, "{told}").expect("a string");
    reasons(&mut out, &waiting.reasons, &BTreeSet::new());
    for row in &rows {
        writeln!(out, "\n## Further skipped: {}\n", row.name).expect("a string");
        reasons(&mut out, &row.reasons, &known);
    }
    out
}

const HEAD: &str = "# What became of the vectors

Written by `make conformance` from a run of every vector in every implementation; a test
compares the rows of native, component and host with those of now. A vector that is skipped
is counted under its reason below.

| where | what runs | passed | failed | skipped |
| --- | --- | --- | --- | --- |
";

fn reasons(out: &mut String, reasons: &Reasons, known: &BTreeSet<&String>) {
    let mut sorted: Vec<_> = reasons
        .iter()
        .filter(|(why, _)| !known.contains(why))
        .collect();
    sorted.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), why.as_str()));
    for (why, count) in sorted {
        writeln!(out, "- {count}: {why}").expect("a string");
    }
}

/// How a table differs from what became of the vectors now, in our rows and in the sums.
/// What cannot run on this machine, for a reason that the table does not know, counts as
/// passed there.
#[must_use]
pub fn differences(table: &str, outcomes: &[Outcome]) -> Vec<String> {
    let mut wrong = Vec::new();
    for row in ours(outcomes) {
        let unknown = row.reasons.iter().filter(|(why, _)| !table.contains(*why));
        let here: usize = unknown.map(|(_, count)| count).sum();
        let mut there = row.clone();
        there.counts.passed += here;
        there.counts.skipped -= here;
        if !table.lines().any(|line| line == there.line()) {
            wrong.push(format!("there is no line {}", there.line()));
        }
    }
    let told = table.lines().filter_map(counts_of);
    for (name, counts) in told {
        let sum = counts.passed + counts.failed + counts.skipped;
        if sum != outcomes.len() || counts.failed > 0 {
            wrong.push(format!("{name}: {} of {}", counts.line(), outcomes.len()));
        }
    }
    wrong
}

/// The name and the counts of a line of the table.
fn counts_of(line: &str) -> Option<(&str, Counts)> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let ["", name, _, passed, failed, skipped, ""] = cells[..] else {
        return None;
    };
    let counts = Counts {
        passed: passed.parse().ok()?,
        failed: failed.parse().ok()?,
        skipped: skipped.parse().ok()?,
    };
    Some((name, counts))
}
