//! The tools as a client is told of them.

mod inputs;
mod outputs;

use std::sync::Arc;

use dsh_fs::types::Mode;
use dsh_fs_harness::TOOLS;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::wording;

/// What is known of a tool besides its schemas.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// Whether it changes nothing. Such a tool cannot ask for wider permissions.
    pub(crate) reads_only: bool,
    title: &'static str,
    /// Whether a second call with the same arguments changes nothing more.
    idempotent: bool,
    /// Whether it reaches what is no file.
    open_world: bool,
}

const KNOWN: [Known; 7] = [
    reading("read", "Read a file"),
    changing("write", "Write a file", true),
    changing("edit", "Edit a file", false),
    changing("multi_edit", "Edit several files", false),
    reading("list", "List a directory"),
    changing("undo", "Undo the last change", false),
    Known {
        open_world: true,
        ..changing("bash", "Run a command", false)
    },
];

const fn reading(name: &'static str, title: &'static str) -> Known {
    Known {
        name,
        reads_only: true,
        title,
        idempotent: true,
        open_world: false,
    }
}

const fn changing(name: &'static str, title: &'static str, idempotent: bool) -> Known {
    Known {
        name,
        reads_only: false,
        title,
        idempotent,
        open_world: false,
    }
}

/// The tools that the agent has.
fn here() -> impl Iterator<Item = &'static Known> {
    KNOWN.iter().filter(|tool| TOOLS.contains(&tool.name))
}

/// The tool of this name.
pub(crate) fn named(name: &str) -> Option<&'static Known> {
    here().find(|tool| tool.name == name)
}

/// Every tool, where these wider modes may be asked for.
pub(crate) fn offered(wider: &[Mode]) -> Vec<Tool> {
    here().map(|tool| tool.described(wider)).collect()
}

impl Known {
    fn described(&self, wider: &[Mode]) -> Tool {
        let mut input = inputs::of(self.name);
        let mut description = wording::description(self.name).to_owned();
        if !self.reads_only && !wider.is_empty() {
            inputs::add_escalation(&mut input, wider);
            description.push_str(wording::MAY_ESCALATE);
        }
        Tool::new(self.name, description, object(input))
            .with_title(self.title)
            .with_raw_output_schema(object(outputs::of(self.name)))
            .with_annotations(self.annotations())
    }

    fn annotations(&self) -> ToolAnnotations {
        let all = ToolAnnotations::with_title(self.title)
            .read_only(self.reads_only)
            .open_world(self.open_world);
        match self.reads_only {
            true => all,
            false => all.destructive(true).idempotent(self.idempotent),
        }
    }
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        other => unreachable!("a schema is an object: {other}"),
    }
}

/// An object with these properties, of which some must be there.
fn object_of(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, TOOLS};

    #[test]
    fn every_tool_of_an_agent_is_known() {
        for name in TOOLS {
            assert!(KNOWN.iter().any(|tool| tool.name == *name), "{name}");
        }
    }
}
