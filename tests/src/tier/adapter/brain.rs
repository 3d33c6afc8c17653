//! Decisions and rules for text, asked of the program.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::process::{Adapter, Answer};
use crate::case::Step;
use crate::codes;
use crate::tier::Stage;
use crate::tier::brain::{Brain, Circumstances, Inputs, Intent, PlainEdit, Policy, Prior, Refusal};
use crate::tier::window;

/// The gate of the program.
pub(super) struct Remote<'a> {
    adapter: &'a Adapter,
    ledgers: Vec<Value>,
    kept: Option<Kept>,
}

/// What was seen, by ledger and key: for a program that has plain functions alone, which
/// decide on what they are told.
type Kept = BTreeMap<(usize, String), Prior>;

impl<'a> Remote<'a> {
    pub(super) fn new(adapter: &'a Adapter) -> Self {
        Self {
            adapter,
            ledgers: Vec::new(),
            kept: adapter.lacks("ledgers").then(Kept::new),
        }
    }

    /// What the runner keeps of a target, where it keeps anything.
    fn kept(&self, ledger: usize, key: &str) -> Option<Prior> {
        let kept = self.kept.as_ref()?;
        let prior = kept.get(&(ledger, key.to_owned()));
        Some(prior.cloned().unwrap_or(Prior::Unseen))
    }

    fn sentence(&self, function: &str, arguments: Value) -> Result<String> {
        text(&self.adapter.ok(function, arguments)?)
    }

    fn judged(&self, function: &str, arguments: Value) -> Result<Result<(), String>> {
        Ok(match self.adapter.call(function, arguments)? {
            Answer::Ok(_) => Ok(()),
            Answer::Refused(sentence) => Err(text(&sentence)?),
        })
    }

    fn edit(&self, function: &str, arguments: Value) -> Result<Result<Intent, Refusal>> {
        Ok(match self.adapter.call(function, arguments)? {
            Answer::Ok(guard) => Ok(intent(&guard)?),
            Answer::Refused(error) => Err(Refusal {
                code: codes::protocol(error["code"].as_str().context("a code")?),
                message: text(&error["message"])?,
            }),
        })
    }
}

impl Brain for Remote<'_> {
    fn ledger(&mut self) -> Result<usize> {
        if self.kept.is_some() {
            self.ledgers.push(Value::Null);
            return Ok(self.ledgers.len() - 1);
        }
        let arguments = json!({"seed": {"low": 1, "high": 2}, "capacity": 0});
        self.ledgers.push(self.adapter.ok("ledger.new", arguments)?);
        Ok(self.ledgers.len() - 1)
    }

    fn observe(&mut self, ledger: usize, key: &str, seen: &Prior) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            kept.insert((ledger, key.to_owned()), seen.clone());
            return Ok(());
        }
        let ledger = &self.ledgers[ledger];
        let arguments = json!({"ledger": ledger, "key": key, "prior": prior(seen)});
        self.adapter.ok("ledger.observe", arguments).map(|_| ())
    }

    fn write_intent(&mut self, ledger: usize, key: &str) -> Result<Intent> {
        if let Some(seen) = self.kept(ledger, key) {
            return self.decide_write(&seen);
        }
        let arguments = json!({"ledger": self.ledgers[ledger], "key": key});
        intent(&self.adapter.ok("ledger.write-intent", arguments)?)
    }

    fn edit_intent(&mut self, ledger: usize, key: &str) -> Result<Result<Intent, Refusal>> {
        if let Some(seen) = self.kept(ledger, key) {
            return self.decide_edit(key, &seen);
        }
        let arguments = json!({"ledger": self.ledgers[ledger], "target": target(key)});
        self.edit("ledger.edit-intent", arguments)
    }

    fn decide_write(&mut self, seen: &Prior) -> Result<Intent> {
        let arguments = json!({"prior": prior(seen)});
        intent(&self.adapter.ok("observation.decide-write", arguments)?)
    }

    fn decide_edit(&mut self, key: &str, seen: &Prior) -> Result<Result<Intent, Refusal>> {
        let arguments = json!({"target": target(key), "prior": prior(seen)});
        self.edit("observation.decide-edit", arguments)
    }

    fn with_remedy(&mut self, code: &str, message: &str) -> Result<String> {
        let arguments = json!({"code": codes::in_wit(code), "message": message});
        self.sentence("observation.with-remedy", arguments)
    }

    fn check_escalation(
        &mut self,
        requested: Option<&str>,
        justification: Option<&str>,
    ) -> Result<Result<(), String>> {
        let arguments = json!({"requested": requested, "justification": justification});
        self.judged("sandbox.check-escalation", arguments)
    }

    fn judge(&mut self, requested: &str, of: &Circumstances) -> Result<Result<(), String>> {
        let circumstances = json!({
            "effective": of.effective, "confined": true,
            "approver": of.approver, "owner": of.owner,
        });
        let arguments = json!({"requested": requested, "circumstances": circumstances});
        self.judged("sandbox.judge-escalation", arguments)
    }

    fn refused(&mut self, requested: &str, answer: &str) -> Result<String> {
        let arguments = json!({"requested": requested, "refusal": answer});
        self.sentence("sandbox.escalation-refused", arguments)
    }

    fn resolve(&mut self, inputs: &Inputs) -> Result<Policy> {
        let inputs = json!({
            "approved": null,
            "session-mode": inputs.session_mode,
            "default-mode": inputs.default_mode,
            "session-cwd": inputs.session_cwd,
            "configured-root": inputs.configured_root,
            "session-id": inputs.session_id,
        });
        let policy = self
            .adapter
            .ok("sandbox.resolve-policy", json!({"inputs": inputs}))?;
        Ok(Policy {
            mode: text(&policy["mode"])?,
            workspace_root: text(&policy["workspace-root"])?,
            session_id: policy["session-id"].as_str().map(str::to_owned),
        })
    }

    fn fold(&mut self, modes: &[String]) -> Result<Option<String>> {
        let events: Vec<Value> = modes
            .iter()
            .map(|mode| json!({"mode": mode, "source": "user"}))
            .collect();
        let folded = self
            .adapter
            .ok("sandbox.fold-mode-events", json!({"events": events}))?;
        Ok(folded.as_str().map(str::to_owned))
    }

    fn nexts(&self) -> Result<usize> {
        Ok(0)
    }

    fn apply_edit(&mut self, edit: &PlainEdit<'_>) -> Result<Option<Result<String, String>>> {
        if self.adapter.speaks("text").is_err() {
            return Ok(None);
        }
        let arguments = json!({
            "content": edit.content,
            "edit": {"old-text": edit.old, "new-text": edit.new, "replace-all": edit.all},
        });
        Ok(Some(
            match self.adapter.call("text.apply-edit", arguments)? {
                Answer::Ok(edited) => Ok(text(&edited["content"])?),
                Answer::Refused(why) => Err(edit_code(&why)?.to_owned()),
            },
        ))
    }

    fn describe(&mut self, told: &Policy) -> Result<String> {
        let policy = json!({
            "mode": told.mode,
            "workspace-root": told.workspace_root,
            "session-id": told.session_id,
        });
        self.sentence("sandbox.describe-policy", json!({"policy": policy}))
    }
}

/// Windows of a text in memory.
pub(super) struct Windows<'a>(pub(super) &'a Adapter);

impl Stage for Windows<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        let wanted = window::wanted(step);
        let arguments = json!({
            "content": step.op["content"],
            "version": "v",
            "window": {
                "first-line": wanted.first_line,
                "first-column": wanted.first_column,
                "max-lines": wanted.max_lines,
                "max-bytes": wanted.max_bytes,
                "max-line-chars": wanted.max_line_chars,
            },
        });
        let shown = self.0.ok("text.show", arguments)?;
        let first = shown["first-line"].as_u64().context("a first line")?;
        window::told(
            u32::try_from(first)?,
            shown["text"].as_str().context("a text")?,
            &shown["total-lines"],
            &shown["capped"],
        )
    }
}

/// The protocol string of an `edit-refusal`.
fn edit_code(why: &Value) -> Result<&'static str> {
    let case = why.as_object().and_then(|case| case.keys().next());
    Ok(match why.as_str().or(case.map(String::as_str)) {
        Some("empty" | "same") => "INVALID_ARGUMENTS",
        Some("not-found") => "FS_EDIT_NOT_FOUND",
        Some("ambiguous") => "FS_AMBIGUOUS_EDIT",
        _ => bail!("no edit-refusal: {why}"),
    })
}

fn prior(seen: &Prior) -> Value {
    match seen {
        Prior::Unseen => json!("unseen"),
        Prior::Absent => json!("absent"),
        Prior::Present(version) => json!({"present": version}),
    }
}

fn target(key: &str) -> Value {
    json!({"key": key, "display-path": key})
}

fn intent(guard: &Value) -> Result<Intent> {
    let version = guard
        .get("replace-if-version")
        .or_else(|| guard.get("if-version"));
    Ok(match (guard.as_str(), version.and_then(Value::as_str)) {
        (Some("create-if-absent"), _) => Intent::Create,
        (Some("unconditional"), _) => Intent::Unconditional,
        (None, Some(version)) => Intent::Version(version.to_owned()),
        _ => bail!("no guard: {guard}"),
    })
}

fn text(value: &Value) -> Result<String> {
    Ok(value
        .as_str()
        .with_context(|| format!("no text: {value}"))?
        .to_owned())
}
