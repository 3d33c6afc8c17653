//! The gate as a component, asked through the runtime.

use anyhow::{Context, Result, anyhow, bail};
use dsh_fs::error::Code;
use dsh_fs::types::{EditGuard, ExecutionPolicy, Mode, Target, WriteGuard};
use dsh_fs_runtime::gate::{self, Gate, Ledger, Seed};
use dsh_fs_runtime::{CallError, Limits, ModeSource};

use super::brain::{Brain, Circumstances, Inputs, Intent, Policy, Prior, Refusal};
use super::{Stage, decide, paper};
use crate::case::Case;
use crate::components;
use crate::places::Places;

/// A stage for vectors that ask the gate, or edit a text under its decisions.
pub(super) fn stage<'a>(case: &'a Case, places: &'a Places) -> Result<Box<dyn Stage + 'a>, String> {
    let told = |error: anyhow::Error| format!("{error:#}");
    if paper::can(case) {
        if !case.given.gate {
            return Err("no gate has a part in it".to_owned());
        }
        return paper::stage(places, brain(case).map_err(told)?).map_err(told);
    }
    decide::can(case, places)?;
    Ok(decide::stage(case, places, brain(case).map_err(told)?))
}

/// The gate that ships; without one, the gate that demands nothing.
fn brain(case: &Case) -> Result<Box<dyn Brain>> {
    let asks = case
        .steps
        .iter()
        .any(|step| step.name().ends_with("-intent"));
    let other = match &case.given.component {
        Some(name) => Some(components::gate(name)?),
        None if asks && !case.given.gate => Some(components::OPEN_GATE.to_vec()),
        None => None,
    };
    let bytes = other
        .clone()
        .unwrap_or_else(|| dsh_fs_artifacts::GATE.to_vec());
    let gate = match other {
        Some(bytes) => Gate::load(&bytes, Limits::default(), None),
        None => Gate::shipped(Limits::default()),
    };
    let gate = gate.map_err(|error| anyhow!("{error}"))?;
    Ok(Box::new(Component {
        gate,
        bytes,
        ledgers: Vec::new(),
    }))
}

struct Component {
    gate: Gate,
    bytes: Vec<u8>,
    ledgers: Vec<Ledger>,
}

fn broke(error: CallError) -> anyhow::Error {
    anyhow!("{}", error.text)
}

impl Brain for Component {
    fn ledger(&mut self) -> Result<usize> {
        let ledger = self
            .gate
            .ledger(Seed { low: 1, high: 2 }, 0)
            .map_err(broke)?;
        self.ledgers.push(ledger);
        Ok(self.ledgers.len() - 1)
    }

    fn observe(&mut self, ledger: usize, key: &str, seen: &Prior) -> Result<()> {
        self.gate
            .observe(&self.ledgers[ledger], key, &prior(seen))
            .map_err(broke)
    }

    fn write_intent(&mut self, ledger: usize, key: &str) -> Result<Intent> {
        Ok(write(
            self.gate
                .write_intent(&self.ledgers[ledger], key)
                .map_err(broke)?,
        ))
    }

    fn edit_intent(&mut self, ledger: usize, key: &str) -> Result<Result<Intent, Refusal>> {
        Ok(edit(
            self.gate
                .edit_intent(&self.ledgers[ledger], &target(key))
                .map_err(broke)?,
        ))
    }

    fn decide_write(&mut self, seen: &Prior) -> Result<Intent> {
        Ok(write(self.gate.decide_write(&prior(seen)).map_err(broke)?))
    }

    fn decide_edit(&mut self, key: &str, seen: &Prior) -> Result<Result<Intent, Refusal>> {
        Ok(edit(
            self.gate
                .decide_edit(&target(key), &prior(seen))
                .map_err(broke)?,
        ))
    }

    fn with_remedy(&mut self, code: &str, message: &str) -> Result<String> {
        let known = Code::ALL.into_iter().find(|known| known.name() == code);
        self.gate
            .with_remedy(known.context("a code that exists")?, message)
            .map_err(broke)
    }

    fn check_escalation(
        &mut self,
        requested: Option<&str>,
        justification: Option<&str>,
    ) -> Result<Result<(), String>> {
        let checked = self
            .gate
            .check_escalation(requested, justification)
            .map_err(broke)?;
        Ok(checked.map(|_| ()))
    }

    fn judge(&mut self, requested: &str, of: &Circumstances) -> Result<Result<(), String>> {
        let circumstances = gate::Circumstances {
            effective: mode(&of.effective)?,
            confined: true,
            approver: of.approver,
            owner: of.owner,
        };
        self.gate
            .judge_escalation(mode(requested)?, circumstances)
            .map_err(broke)
    }

    fn refused(&mut self, requested: &str, answer: &str) -> Result<String> {
        let refusal = match answer {
            "rejected" => gate::Refusal::Rejected,
            "cancelled" => gate::Refusal::Cancelled,
            "unavailable" => gate::Refusal::Unavailable,
            other => bail!("the answer `{other}` does not exist"),
        };
        self.gate
            .escalation_refused(mode(requested)?, refusal)
            .map_err(broke)
    }

    fn resolve(&mut self, inputs: &Inputs) -> Result<Policy> {
        let inputs = gate::PolicyInputs {
            approved: None,
            session_mode: inputs.session_mode.as_deref().map(mode).transpose()?,
            default_mode: mode(&inputs.default_mode)?,
            session_cwd: inputs.session_cwd.clone(),
            configured_root: inputs.configured_root.clone(),
            session_id: inputs.session_id.clone(),
        };
        let resolved = self.gate.resolve_policy(&inputs).map_err(broke)?;
        Ok(Policy {
            mode: resolved.mode.name().to_owned(),
            workspace_root: resolved.workspace_root,
            session_id: resolved.session_id,
        })
    }

    fn fold(&mut self, modes: &[String]) -> Result<Option<String>> {
        let events: Result<Vec<(Mode, ModeSource)>> = modes
            .iter()
            .map(|name| Ok((mode(name)?, ModeSource::User)))
            .collect();
        let folded = self.gate.fold_mode_events(&events?).map_err(broke)?;
        Ok(folded.map(|mode| mode.name().to_owned()))
    }

    fn nexts(&self) -> Result<usize> {
        let imports = dsh_fs_artifacts::inspect(&self.bytes)?.imports;
        Ok(imports.iter().filter(|import| !import.type_only).count())
    }

    fn describe(&mut self, told: &Policy) -> Result<String> {
        let policy = ExecutionPolicy {
            mode: mode(&told.mode)?,
            workspace_root: told.workspace_root.clone(),
            session_id: told.session_id.clone(),
        };
        self.gate.describe_policy(&policy).map_err(broke)
    }
}

fn prior(seen: &Prior) -> gate::Prior {
    match seen {
        Prior::Unseen => gate::Prior::Unseen,
        Prior::Absent => gate::Prior::Absent,
        Prior::Present(version) => gate::Prior::Present(version.clone()),
    }
}

fn target(key: &str) -> Target {
    Target {
        key: key.to_owned(),
        display: key.to_owned(),
    }
}

fn write(guard: WriteGuard) -> Intent {
    match guard {
        WriteGuard::CreateIfAbsent => Intent::Create,
        WriteGuard::ReplaceIfVersion(version) => Intent::Version(version),
        WriteGuard::Unconditional => Intent::Unconditional,
    }
}

fn edit(decided: Result<EditGuard, dsh_fs::error::Error>) -> Result<Intent, Refusal> {
    match decided {
        Ok(EditGuard::IfVersion(version)) => Ok(Intent::Version(version)),
        Ok(EditGuard::Unconditional) => Ok(Intent::Unconditional),
        Err(error) => Err(Refusal {
            code: error.code.name().to_owned(),
            message: error.message,
        }),
    }
}

fn mode(name: &str) -> Result<Mode> {
    Mode::from_name(name).context("a mode that exists")
}
