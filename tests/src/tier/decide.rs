//! Performs the operations that ask the gate alone, on any brain.

use std::collections::HashMap;
use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::Stage;
use super::brain::{Brain, Circumstances, Inputs, Intent, Prior, Refusal};
use crate::case::{Case, Step};
use crate::places::Places;

/// The operations that need nothing but the gate.
const KNOWN: [&str; 15] = [
    "observe",
    "write-intent",
    "edit-intent",
    "gate-reload",
    "remedy",
    "validate-escalation",
    "escalate",
    "policy",
    "sandbox-mode",
    "set-mode",
    "mode-events",
    "override-of",
    "policy-text",
    "decider",
    "reached",
];

/// Whether every operation is one of those, with directories that are canonical as they
/// are spelled: making them so is the host's work.
pub(super) fn can(case: &Case, places: &Places) -> Result<(), String> {
    for step in &case.steps {
        if !KNOWN.contains(&step.name()) {
            return Err(format!(
                "the operation {} needs more than the gate",
                step.name()
            ));
        }
        answerable(case, places, step)?;
    }
    Ok(())
}

/// A stage for a vector that `can`.
pub(super) fn stage<'a>(
    case: &'a Case,
    places: &'a Places,
    brain: Box<dyn Brain + 'a>,
) -> Box<dyn Stage + 'a> {
    Box::new(Decide {
        case,
        places,
        brain,
        owners: HashMap::new(),
        modes: Vec::new(),
    })
}

/// `decider` stands for a next gate, and `reached` for how often that was asked: never,
/// where there is no function by which it could be.
struct Decide<'a> {
    case: &'a Case,
    places: &'a Places,
    brain: Box<dyn Brain + 'a>,
    owners: HashMap<String, usize>,
    modes: Vec<String>,
}

/// The session that `set-mode` speaks of.
const SESSION: &str = "s1";

impl Stage for Decide<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        let op = &step.op;
        match step.name() {
            "observe" => self.observe(op),
            "write-intent" => self.write_intent(op),
            "edit-intent" => self.edit_intent(op),
            "gate-reload" => {
                self.owners.clear();
                Ok(json!({"done": true}))
            }
            "decider" => Ok(json!({"done": true})),
            "reached" => Ok(json!(self.brain.nexts()?)),
            "remedy" => self.remedy(op),
            "validate-escalation" => self.validate(op),
            "escalate" => self.escalate(op),
            "set-mode" => {
                self.modes
                    .push(op["mode"].as_str().context("a mode")?.to_owned());
                Ok(json!({"done": true}))
            }
            "policy" | "policy-text" | "sandbox-mode" => self.policy(op),
            "mode-events" => Ok(json!(self.events(op))),
            "override-of" => Ok(json!(self.brain.fold(&self.events(op))?)),
            other => bail!("the operation `{other}` is not known to the gate"),
        }
    }
}

impl Decide<'_> {
    fn owner(&mut self, op: &Value) -> Result<Option<usize>> {
        let Some(name) = op["owner"].as_str() else {
            return Ok(None);
        };
        if let Some(ledger) = self.owners.get(name) {
            return Ok(Some(*ledger));
        }
        let ledger = self.brain.ledger()?;
        self.owners.insert(name.to_owned(), ledger);
        Ok(Some(ledger))
    }

    fn observe(&mut self, op: &Value) -> Result<Value> {
        let ledger = self.owner(op)?.context("an owner")?;
        let prior = match op["seen"].as_str().context("what was seen")? {
            "absent" => Prior::Absent,
            "unseen" => Prior::Unseen,
            version => Prior::Present(version.to_owned()),
        };
        self.brain.observe(ledger, target(op)?, &prior)?;
        Ok(json!({"done": true}))
    }

    fn write_intent(&mut self, op: &Value) -> Result<Value> {
        let intent = match self.owner(op)? {
            Some(ledger) => self.brain.write_intent(ledger, target(op)?)?,
            None => self.brain.decide_write(&Prior::Unseen)?,
        };
        Ok(match intent {
            Intent::Create => json!({"kind": "createIfAbsent"}),
            Intent::Version(version) => json!({"kind": "replaceIfVersion", "version": version}),
            Intent::Unconditional => Value::Null,
        })
    }

    fn edit_intent(&mut self, op: &Value) -> Result<Value> {
        let intent = match self.owner(op)? {
            Some(ledger) => self.brain.edit_intent(ledger, target(op)?)?,
            None => self.brain.decide_edit(target(op)?, &Prior::Unseen)?,
        };
        Ok(match intent {
            Ok(Intent::Version(version)) => json!({"version": version}),
            Ok(Intent::Create) => bail!("an edit cannot demand absence"),
            Ok(Intent::Unconditional) => Value::Null,
            Err(refusal) => failure(&refusal),
        })
    }

    fn remedy(&mut self, op: &Value) -> Result<Value> {
        let message = op["message"].as_str().context("a message")?;
        let Some(code) = op["code"].as_str() else {
            return Ok(json!({"code": null, "message": message}));
        };
        Ok(json!({"code": code, "message": self.brain.with_remedy(code, message)?}))
    }

    fn validate(&mut self, op: &Value) -> Result<Value> {
        let checked = self.brain.check_escalation(
            op["sandbox_permissions"].as_str(),
            op["justification"].as_str(),
        )?;
        Ok(told("INVALID_ARGUMENTS", checked))
    }

    fn escalate(&mut self, op: &Value) -> Result<Value> {
        let requested = op["mode"].as_str().context("a mode")?;
        let answer = op["outcome"].as_str();
        let circumstances = Circumstances {
            effective: op["effective"]
                .as_str()
                .context("the effective mode")?
                .to_owned(),
            approver: answer.is_some(),
            owner: op["agent"] != false,
        };
        let judged = self.brain.judge(requested, &circumstances)?;
        let told = match (judged, answer) {
            (Ok(()), Some("allowed-once")) => Ok(()),
            (Ok(()), Some(answer)) => Err(self.brain.refused(requested, answer)?),
            (Ok(()), None) => bail!("nobody was asked"),
            (Err(sentence), _) => Err(sentence),
        };
        Ok(self::told("ESCALATION_REFUSED", told))
    }

    fn events(&self, op: &Value) -> Vec<String> {
        if op["session"] == SESSION {
            self.modes.clone()
        } else {
            Vec::new()
        }
    }

    fn policy(&mut self, op: &Value) -> Result<Value> {
        let mode = self.brain.fold(&self.events(op))?;
        let policy = self
            .brain
            .resolve(&inputs(self.case, self.places, op, mode))?;
        if op["op"] == "policy-text" {
            return Ok(json!(self.brain.describe(&policy)?));
        }
        if op["op"] == "sandbox-mode" {
            return Ok(json!(policy.mode));
        }
        let mut told = json!({"mode": policy.mode, "workspaceRoot": policy.workspace_root});
        if let Some(session) = policy.session_id {
            told["sessionId"] = json!(session);
        }
        Ok(told)
    }
}

fn answerable(case: &Case, places: &Places, step: &Step) -> Result<(), String> {
    match step.name() {
        "policy-text" if step.op.get("session").is_none() => {
            Err("a text without a session is the toolbox's to leave out".to_owned())
        }
        "policy" | "policy-text" | "sandbox-mode" => {
            let inputs = inputs(case, places, &step.op, None);
            let root = inputs.session_cwd.unwrap_or(inputs.configured_root);
            canonical(&root)
                .then_some(())
                .ok_or("the host makes roots canonical".to_owned())
        }
        "escalate" => match step.op["outcome"].as_str() {
            None | Some("allowed-once" | "rejected" | "cancelled" | "unavailable") => Ok(()),
            Some(other) => Err(format!("the answer {other} cannot be expressed")),
        },
        _ => Ok(()),
    }
}

fn inputs(case: &Case, places: &Places, op: &Value, session_mode: Option<String>) -> Inputs {
    let policy = case.given.policy.clone().unwrap_or_default();
    let session = op["session"].as_str().map(str::to_owned);
    let given = case.given.session_cwd.clone();
    let cwd = match op.get("cwd") {
        Some(cwd) => cwd.as_str().map(str::to_owned),
        None => given.unwrap_or_else(|| Some("$WS".to_owned())),
    };
    let root = policy.workspace_root.unwrap_or_else(|| "$WS".to_owned());
    Inputs {
        session_mode,
        default_mode: policy.mode.unwrap_or_else(|| "read-only".to_owned()),
        session_cwd: cwd
            .filter(|_| session.is_some())
            .map(|cwd| places.fill(&cwd)),
        configured_root: places.fill(&root),
        session_id: session,
    }
}

fn target(op: &Value) -> Result<&str> {
    op["target"].as_str().context("a target")
}

fn told(code: &str, result: Result<(), String>) -> Value {
    match result {
        Ok(()) => json!({"done": true}),
        Err(message) => failure(&Refusal {
            code: code.to_owned(),
            message,
        }),
    }
}

fn failure(refusal: &Refusal) -> Value {
    json!({"fails": refusal.code, "message": refusal.message})
}

/// Whether a directory is canonical as it is spelled, or absent below one that is.
fn canonical(root: &str) -> bool {
    let path = std::path::Path::new(root);
    let plain = path.components().collect::<std::path::PathBuf>() == *path
        && !root.contains("..")
        && !root.ends_with('/');
    let nearest = path
        .ancestors()
        .find_map(|part| Some((part, fs::canonicalize(part).ok()?)));
    plain && nearest.is_some_and(|(part, real)| part == real)
}
