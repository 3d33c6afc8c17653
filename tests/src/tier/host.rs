//! The whole host: tools through the component, and the provider behind its fence.

use anyhow::Result;
use serde_json::Value;

use super::Stage;
use super::confine;
use super::provider::{self, Provider};
use super::sessions::{self, Sessions};
use crate::case::{Case, Step};
use crate::outside;
use crate::places::Places;

/// A stage for every vector whose operations the host offers.
pub(super) fn stage<'a>(case: &'a Case, places: &'a Places) -> Result<Box<dyn Stage + 'a>, String> {
    for step in &case.steps {
        can(step)?;
    }
    let provider = Provider::new(case, places).map_err(|error| format!("{error:#}"))?;
    let sessions = Sessions::new(case, places, provider.sandbox());
    Ok(Box::new(Host {
        places,
        provider,
        sessions,
    }))
}

fn can(step: &Step) -> Result<(), String> {
    if confine::is(&step.op) {
        return confine::can(&step.op);
    }
    match step.name() {
        "ext" | "copy-over" | "mode" | "links" => Ok(()),
        "all" if tools(&step.op) => Ok(()),
        name if sessions::KNOWN.contains(&name) => Ok(()),
        name if provider::KNOWN.contains(&name) => provider::can(&step.op),
        name => Err(reason(name)),
    }
}

/// Whether operations at once are tool calls.
fn tools(op: &Value) -> bool {
    let ops = op["ops"].as_array();
    ops.is_some_and(|ops| ops.iter().all(|op| op["op"] == "tool"))
}

/// Why an operation of the reference is not offered.
fn reason(name: &str) -> String {
    match name {
        "staged-hook" | "bytes-hook" | "link-fails" | "cleanup-fails" | "staged-modes"
        | "locks" => "injected faults and hooks inside the provider".to_owned(),
        "spawn-failure" => "error objects of another runtime".to_owned(),
        "grant-args" => "the arguments of a launcher without a command".to_owned(),
        "present-call" | "present-result" | "read-meta" | "diffs-meta" => {
            "views of calls and results".to_owned()
        }
        other => format!("the operation {other}"),
    }
}

struct Host<'a> {
    places: &'a Places,
    provider: Provider<'a>,
    sessions: Sessions<'a>,
}

impl Stage for Host<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        if confine::is(&step.op) {
            return confine::perform(&step.op, self.places);
        }
        match step.name() {
            "ext" | "copy-over" => outside::change(&step.op, self.places),
            "mode" | "links" => outside::look(&step.op, self.places),
            "all" if tools(&step.op) => self.sessions.all(&step.op),
            name if sessions::KNOWN.contains(&name) => self.sessions.perform(&step.op),
            _ => self.provider.perform(&step.op),
        }
    }
}
