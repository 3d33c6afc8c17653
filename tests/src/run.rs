//! Runs one vector in one tier, and one vector in all of them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::after;
use crate::case::{Case, Step};
use crate::equivalence::{self, Facts, History, Question};
use crate::matching;
use crate::places::{Places, base_directory};
use crate::tier::adapter::Adapter;
use crate::tier::{Tier, stage};
use crate::tree;
use crate::unprivileged;

/// What became of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every expectation was met.
    Passed,
    /// One was not, or the vector could not be understood.
    Failed(String),
    /// It cannot run here, for this reason.
    Skipped(String),
}

/// How vectors are run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the bases are made.
    pub base: Option<PathBuf>,
    /// The tiers to run in; every one where empty.
    pub tiers: Vec<Tier>,
    /// Another implementation: vectors run in it alone.
    pub adapter: Option<Arc<Adapter>>,
    /// Whether this process is the ordinary user that a vector asks for.
    pub as_child: bool,
}

impl Options {
    /// The tiers that vectors run in.
    fn in_use(&self) -> Vec<Tier> {
        if self.adapter.is_some() {
            return vec![Tier::Adapter];
        }
        let wanted = |tier: &Tier| self.tiers.is_empty() || self.tiers.contains(tier);
        Tier::ALL.into_iter().filter(wanted).collect()
    }
}

/// What became of a vector in each tier; `Skipped` there means that the tier has no part in it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The vector.
    pub id: String,
    /// One verdict a tier.
    pub tiers: Vec<(Tier, Verdict)>,
    /// The verdict over all.
    pub verdict: Verdict,
}

/// Runs a vector in every tier that can. It passes if no tier fails it and one passes it.
#[must_use]
pub fn case(case: &Case, options: &Options) -> Outcome {
    let tiers: Vec<(Tier, Verdict)> = options
        .in_use()
        .into_iter()
        .map(|tier| (tier, in_tier(case, tier, options)))
        .collect();
    let failed = tiers
        .iter()
        .find(|(_, verdict)| matches!(verdict, Verdict::Failed(_)));
    let passed = tiers
        .iter()
        .find(|(_, verdict)| *verdict == Verdict::Passed);
    let last = tiers.last().map(|(_, verdict)| verdict.clone());
    let verdict = match (failed, passed, last) {
        (Some((_, verdict)), _, _) | (None, Some((_, verdict)), _) => verdict.clone(),
        (None, None, Some(verdict)) => verdict,
        (None, None, None) => Verdict::Skipped("no tier was asked for".to_owned()),
    };
    Outcome {
        id: case.id.clone(),
        tiers,
        verdict,
    }
}

fn in_tier(case: &Case, tier: Tier, options: &Options) -> Verdict {
    if let Some(needs) = &case.needs {
        return Verdict::Skipped(needs.clone());
    }
    if case
        .tiers
        .as_ref()
        .is_some_and(|tiers| !tiers.contains(&tier))
    {
        return Verdict::Skipped(format!("not for the tier {}", tier.name()));
    }
    if case.given.privileged && !unprivileged::is_root() {
        return Verdict::Skipped("holds for root alone".to_owned());
    }
    if case.given.unprivileged && tier == Tier::Adapter && unprivileged::is_root() {
        return Verdict::Skipped("an ordinary user in another runtime".to_owned());
    }
    if case.given.unprivileged && !options.as_child && unprivileged::is_root() {
        return unprivileged::rerun(case, tier, options);
    }
    match on_stage(case, tier, options) {
        Ok(verdict) => verdict,
        Err(error) => Verdict::Failed(format!("{error:#}")),
    }
}

fn on_stage(case: &Case, tier: Tier, options: &Options) -> Result<Verdict> {
    let above = base_directory(options.base.as_deref(), case.given.unprivileged)?;
    let places = Places::below(&above)?;
    tree::build(&case.given, &places)?;
    let before = case.unchanged.then(|| after::photograph(places.base()));
    let mut stage = match stage(tier, case, &places, options.adapter.as_deref()) {
        Ok(stage) => stage,
        Err(reason) => return Ok(Verdict::Skipped(reason)),
    };
    let mut history = History::default();
    for (at, step) in case.steps.iter().enumerate() {
        let name = step.name();
        let facts = Facts::look(case, &step.op, &places);
        let found = stage
            .perform(step)
            .with_context(|| format!("operation {} ({name})", at + 1))?;
        let reason = compare(case, step, &found, &places, &facts, &mut history);
        if let Some(reason) = reason {
            return Ok(Verdict::Failed(format!(
                "operation {} ({name}): {reason}",
                at + 1
            )));
        }
        history.take(case, &places, &step.op, &facts, &found);
    }
    drop(stage);
    let moved = before.is_some_and(|before| before != after::photograph(places.base()));
    if moved {
        return Ok(Verdict::Failed(
            "something below the base has changed".to_owned(),
        ));
    }
    Ok(files(case, &places, &history).map_or(Verdict::Passed, Verdict::Failed))
}

fn compare(
    case: &Case,
    step: &Step,
    found: &Value,
    places: &Places,
    facts: &Facts,
    history: &mut History,
) -> Option<String> {
    let expect = places.fill_value(&step.expect);
    let question = Question {
        case,
        op: &step.op,
        places,
        facts,
        history,
    };
    let reason = matching::difference(&expect, found);
    if case.exact || (reason.is_none() && expect != "-") {
        return reason;
    }
    // What is ignored succeeded in the reference; it may have to be otherwise with us.
    let theirs = if expect == "-" { json!("<ok>") } else { expect };
    let ours = equivalence::result(&question, &theirs);
    if matching::difference(&ours, found).is_some() {
        return reason;
    }
    if ours != theirs {
        history.differed(case, places, &step.op, facts, &ours);
    }
    None
}

fn files(case: &Case, places: &Places, history: &History) -> Option<String> {
    case.files.iter().find_map(|(path, expect)| {
        let place = crate::name::to_path(&places.path(path).to_string_lossy());
        let expect = places.fill_value(expect);
        let reason = after::difference(&place, &expect)?;
        let ours = if case.exact {
            Vec::new()
        } else {
            equivalence::file(case, history, path, &place, &expect)
        };
        let met = ours
            .iter()
            .any(|ours| after::difference(&place, ours).is_none());
        (!met).then_some(reason)
    })
}
