//! The sessions of one vector, in the program.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::process::{Adapter, Answer};
use crate::case::Case;
use crate::places::Places;
use crate::tier::sessions::{self, SESSION, limits, name_of};

/// Whether the vector asks for nothing but tools, sessions and changes from outside.
pub(super) fn can(case: &Case, adapter: &Adapter) -> Result<(), String> {
    if gate(case) != SHIPPED {
        adapter.speaks(gate(case))?;
    }
    for step in &case.steps {
        let tool = step.op["name"].as_str().unwrap_or_default();
        match step.name() {
            "tool" if OF_THE_HOST.contains(&tool) => {
                return Err(format!("the tool {tool}, which no component has"));
            }
            "ext" | "copy-over" | "mode" | "links" => {}
            name if sessions::KNOWN.contains(&name) => {}
            name => return Err(format!("the operation {name} in another runtime")),
        }
    }
    Ok(())
}

/// Tools that the host makes of several calls, or runs beside the component.
const OF_THE_HOST: [&str; 3] = ["multi_edit", "undo", "bash"];

/// The gate that ships.
const SHIPPED: &str = "gate";

/// The gate that decides: without one in the vector, the one that demands nothing.
fn gate(case: &Case) -> &str {
    match &case.given.component {
        Some(name) => name,
        None if case.given.gate => SHIPPED,
        None => "open-gate",
    }
}

/// Sessions by name; the empty name stands for calls without an owner.
pub(super) struct Sessions<'a> {
    case: &'a Case,
    places: &'a Places,
    adapter: &'a Adapter,
    open: BTreeMap<String, Value>,
    modes: Vec<Value>,
}

impl<'a> Sessions<'a> {
    pub(super) fn new(case: &'a Case, places: &'a Places, adapter: &'a Adapter) -> Self {
        Self {
            case,
            places,
            adapter,
            open: BTreeMap::new(),
            modes: Vec::new(),
        }
    }

    /// Performs one operation.
    pub(super) fn perform(&mut self, op: &Value) -> Result<Value> {
        let op = &self.places.fill_value(op);
        let name = name_of(op);
        match op["op"].as_str().context("an operation")? {
            "tool" => self.tool(&name, op),
            "open" => self.session(&name).map(|_| done()),
            "resume" => self.resume(&name),
            "fork" => self.fork(&name, op["as"].as_str().context("the name of the child")?),
            "set-mode" => self.set_mode(op),
            "mode-events" => Ok(match op["session"] == SESSION {
                true => json!(self.modes),
                false => json!([]),
            }),
            "approvals" => self.adapter.ok("tools.questions", json!({})),
            _ => self.policy(op),
        }
    }

    fn session(&mut self, name: &str) -> Result<Value> {
        if let Some(session) = self.open.get(name) {
            return Ok(session.clone());
        }
        let session = self.start(name, None)?;
        self.open.insert(name.to_owned(), session.clone());
        Ok(session)
    }

    fn start(&self, name: &str, cwd: Option<Option<String>>) -> Result<Value> {
        let given = &self.case.given;
        let policy = given.policy.clone().unwrap_or_default();
        let root = policy.workspace_root.as_deref().unwrap_or("$WS");
        let stated = cwd.or_else(|| given.session_cwd.clone());
        let cwd = stated.unwrap_or_else(|| Some("$WS".to_owned()));
        let limits = limits(given.tool_config.as_ref());
        let filled = |paths: &[String]| -> Vec<String> {
            paths.iter().map(|path| self.places.fill(path)).collect()
        };
        let arguments = json!({
            "session": (!name.is_empty()).then_some(name),
            "cwd": cwd.filter(|_| !name.is_empty()).map(|cwd| self.places.fill(&cwd)),
            "root": self.places.fill(root),
            "mode": policy.mode.as_deref().unwrap_or("read-only"),
            "confined": given.policy.is_some(),
            "guarded": given.gate,
            "gate": gate(self.case),
            "approval": given.approval,
            "limits": {
                "lines": limits.lines, "bytes": limits.bytes, "line-chars": limits.line_chars,
            },
            "temporary-roots": policy.temporary != Some(false),
            "extra-roots": filled(&policy.extra_roots),
            "protected": policy.protected,
            "deny-read": filled(&policy.deny_read),
        });
        self.adapter.ok("tools.open", arguments)
    }

    fn tool(&mut self, name: &str, op: &Value) -> Result<Value> {
        let arguments = json!({
            "session": self.session(name)?,
            "tool": op["name"],
            "args": op["args"],
            "abort": matches!(op["abort"].as_str(), Some("before" | "during")),
        });
        let answer = match self.adapter.call("tools.call", arguments)? {
            Answer::Ok(value) => json!({"text": value["text"], "value": value["value"]}),
            Answer::Refused(why) => {
                json!({"text": why["text"], "value": null, "fails": why["code"]})
            }
        };
        Ok(sessions::with_meta(answer, op))
    }

    fn resume(&mut self, name: &str) -> Result<Value> {
        let session = self.session(name)?;
        let pages = self
            .adapter
            .ok("tools.snapshot", json!({"session": session}))?;
        let resumed = self.start(name, None)?;
        self.adapter
            .ok("tools.restore", json!({"session": resumed, "pages": pages}))?;
        self.open.insert(name.to_owned(), resumed);
        Ok(done())
    }

    fn fork(&mut self, name: &str, child: &str) -> Result<Value> {
        let arguments = json!({"session": self.session(name)?, "name": child});
        let forked = self.adapter.ok("tools.fork", arguments)?;
        self.open.insert(child.to_owned(), forked);
        Ok(done())
    }

    fn set_mode(&mut self, op: &Value) -> Result<Value> {
        self.modes.push(op["mode"].clone());
        let arguments = json!({"session": self.session(SESSION)?, "mode": op["mode"]});
        self.adapter.ok("tools.set-mode", arguments)?;
        Ok(done())
    }

    fn policy(&mut self, op: &Value) -> Result<Value> {
        let name = op["session"].as_str().unwrap_or("");
        let own = op.get("cwd").map(|cwd| cwd.as_str().map(str::to_owned));
        let session = match own.is_some() {
            true => self.start(name, own)?,
            false => self.session(name)?,
        };
        if op["op"] == "policy-text" {
            return self
                .adapter
                .ok("tools.policy-text", json!({"session": session}));
        }
        let policy = self
            .adapter
            .ok("tools.policy", json!({"session": session}))?;
        if op["op"] == "sandbox-mode" {
            return Ok(policy["mode"].clone());
        }
        let mut told = json!({"mode": policy["mode"], "workspaceRoot": policy["workspace-root"]});
        if let Some(id) = policy["session-id"].as_str() {
            told["sessionId"] = json!(id);
        }
        Ok(told)
    }
}

impl Drop for Sessions<'_> {
    fn drop(&mut self) {
        // The next vector starts afresh; a program that has ended is told of by its next call.
        let _ = self.adapter.call("tools.reset", json!({}));
    }
}

fn done() -> Value {
    json!({"done": true})
}
