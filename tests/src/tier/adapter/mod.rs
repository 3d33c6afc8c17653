//! Another implementation, reached through a program: one JSON object a line each way.
//!
//! The protocol is described in `tests/kit/README.md`. A call names a function of the WIT
//! package; values are encoded as WIT states them. What the program does not speak, or
//! says that it lacks, is skipped and counted under its own words.

mod brain;
mod lacks;
mod process;
mod sessions;

use anyhow::Result;
use serde_json::Value;

pub use process::Adapter;

use super::{Stage, decide, paper, window};
use crate::case::{Case, Step};
use crate::outside;
use crate::places::Places;

/// A stage for a vector: decisions and texts where the vector has nothing else, sessions
/// where tools are called.
pub(super) fn stage<'a>(
    case: &'a Case,
    places: &'a Places,
    adapter: &'a Adapter,
) -> Result<Box<dyn Stage + 'a>, String> {
    if window::can(case) {
        adapter.speaks("text")?;
        return Ok(Box::new(brain::Windows(adapter)));
    }
    if case.steps.iter().any(|step| step.name() == "tool") || !decided(case, places) {
        return tools(case, places, adapter);
    }
    adapter.speaks("observation")?;
    adapter.speaks("sandbox")?;
    if !case.given.gate && asks_intents(case) {
        return Err("no gate has a part in it".to_owned());
    }
    if asks_a_ledger(case) && adapter.lacks("ledgers") {
        return Err(format!("{} lacks ledgers", adapter.name()));
    }
    Ok(decide::stage(
        case,
        places,
        Box::new(brain::Remote::new(adapter)),
    ))
}

fn decided(case: &Case, places: &Places) -> bool {
    case.given.component.is_none() && decide::can(case, places).is_ok()
}

fn asks_intents(case: &Case) -> bool {
    case.steps
        .iter()
        .any(|step| step.name().ends_with("-intent"))
}

/// Whether an owner remembers anything in it.
fn asks_a_ledger(case: &Case) -> bool {
    let owned = |step: &Step| step.op["owner"].is_string();
    let asks = |step: &Step| step.name() == "observe" || step.name().ends_with("-intent");
    case.steps.iter().any(|step| asks(step) && owned(step))
}

/// Tools through sessions of the program; where it has none, plain files under its
/// decisions and its rules for text.
fn tools<'a>(
    case: &'a Case,
    places: &'a Places,
    adapter: &'a Adapter,
) -> Result<Box<dyn Stage + 'a>, String> {
    if adapter.speaks("tools").is_ok() {
        sessions::can(case, adapter)?;
        lacks::check(case, adapter)?;
        return Ok(Box::new(Outside {
            places,
            sessions: sessions::Sessions::new(case, places, adapter),
        }));
    }
    if !paper::can(case) {
        adapter.speaks("tools")?;
    }
    match case.given.gate {
        true => adapter.speaks("observation")?,
        false => adapter.speaks("text")?,
    }
    paper::stage(places, Box::new(brain::Remote::new(adapter)))
        .map_err(|error| format!("{error:#}"))
}

/// Sessions of the program, and changes from outside by the runner.
struct Outside<'a> {
    places: &'a Places,
    sessions: sessions::Sessions<'a>,
}

impl Stage for Outside<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        match step.name() {
            "ext" | "copy-over" => outside::change(&step.op, self.places),
            "mode" | "links" => outside::look(&step.op, self.places),
            _ => self.sessions.perform(&step.op),
        }
    }
}
