//! The whole host: tools through the component, and the provider behind its fence.

use anyhow::Result;
use serde_json::Value;

use super::Stage;
use super::provider::{self, Provider};
use crate::case::{Case, Step};
use crate::outside;
use crate::places::Places;

/// A stage for every vector whose operations the host offers.
pub(super) fn stage<'a>(case: &'a Case, places: &'a Places) -> Result<Box<dyn Stage + 'a>, String> {
    for step in &case.steps {
        can(step)?;
    }
    Ok(Box::new(Host {
        places,
        provider: Provider::new(case, places),
    }))
}

fn can(step: &Step) -> Result<(), String> {
    match step.name() {
        "ext" | "copy-over" | "mode" | "links" => Ok(()),
        name if provider::KNOWN.contains(&name) => provider::can(&step.op),
        name => Err(reason(name)),
    }
}

/// Why an operation of the reference is not offered.
fn reason(name: &str) -> String {
    match name {
        "staged-hook" | "bytes-hook" | "link-fails" | "cleanup-fails" | "staged-modes"
        | "locks" => "injected faults and hooks inside the provider".to_owned(),
        "present-call" | "present-result" | "read-meta" | "diffs-meta" => {
            "views of calls and results".to_owned()
        }
        other => format!("the operation {other}"),
    }
}

struct Host<'a> {
    places: &'a Places,
    provider: Provider<'a>,
}

impl Stage for Host<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        match step.name() {
            "ext" | "copy-over" => outside::change(&step.op, self.places),
            "mode" | "links" => outside::look(&step.op, self.places),
            _ => self.provider.perform(&step.op),
        }
    }
}
