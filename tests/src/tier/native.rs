//! guest/policy and guest/text, called as plain Rust.

use anyhow::{Result, anyhow, bail};
use dsh_fs_policy as policy;
use policy::wording;

use super::Stage;
use super::brain::{Brain, Circumstances, Inputs, Intent, Policy, Prior, Refusal};
use super::{decide, paper, window};
use crate::case::Case;
use crate::places::Places;

/// A stage for vectors that ask the gate, or edit a text.
pub(super) fn stage<'a>(case: &'a Case, places: &'a Places) -> Result<Box<dyn Stage + 'a>, String> {
    if case.given.component.is_some() {
        return Err("a gate for tests is a component".to_owned());
    }
    if window::can(case) {
        return Ok(Box::new(window::Windows));
    }
    if paper::can(case) {
        return paper::stage(places, Box::new(Native::default()))
            .map_err(|error| error.to_string());
    }
    if !case.given.gate
        && case
            .steps
            .iter()
            .any(|step| step.name().ends_with("-intent"))
    {
        return Err("there is no gate to ask".to_owned());
    }
    decide::can(case, places)?;
    Ok(decide::stage(case, places, Box::new(Native::default())))
}

#[derive(Default)]
struct Native {
    ledgers: Vec<policy::Ledger>,
}

impl Brain for Native {
    fn ledger(&mut self) -> Result<usize> {
        self.ledgers
            .push(policy::Ledger::new(policy::Seed { low: 1, high: 2 }, 0));
        Ok(self.ledgers.len() - 1)
    }

    fn observe(&mut self, ledger: usize, key: &str, prior: &Prior) -> Result<()> {
        self.ledgers[ledger].observe(key, borrowed(prior));
        Ok(())
    }

    fn write_intent(&mut self, ledger: usize, key: &str) -> Result<Intent> {
        Ok(write(self.ledgers[ledger].write_intent(key)))
    }

    fn edit_intent(&mut self, ledger: usize, key: &str) -> Result<Result<Intent, Refusal>> {
        Ok(edit(key, self.ledgers[ledger].edit_intent(key)))
    }

    fn decide_write(&mut self, prior: &Prior) -> Result<Intent> {
        Ok(write(policy::decide_write(borrowed(prior))))
    }

    fn decide_edit(&mut self, key: &str, prior: &Prior) -> Result<Result<Intent, Refusal>> {
        Ok(edit(key, policy::decide_edit(borrowed(prior))))
    }

    fn with_remedy(&mut self, code: &str, message: &str) -> Result<String> {
        Ok(wording::with_remedy(code_of(code)?, message))
    }

    fn check_escalation(
        &mut self,
        requested: Option<&str>,
        justification: Option<&str>,
    ) -> Result<Result<(), String>> {
        let checked = policy::check_escalation(requested, justification);
        Ok(checked
            .map(|_| ())
            .map_err(|refusal| wording::arguments_refused(refusal).to_owned()))
    }

    fn judge(&mut self, requested: &str, of: &Circumstances) -> Result<Result<(), String>> {
        let circumstances = policy::Circumstances {
            effective: mode(&of.effective)?,
            confined: true,
            approver: of.approver,
            owner: of.owner,
        };
        let judged = policy::judge_escalation(mode(requested)?, circumstances);
        Ok(judged.map_err(wording::escalation_not_asked))
    }

    fn refused(&mut self, requested: &str, answer: &str) -> Result<String> {
        let outcome = match answer {
            "rejected" => policy::Outcome::Rejected,
            "cancelled" => policy::Outcome::Cancelled,
            "unavailable" => policy::Outcome::Unavailable,
            other => bail!("the answer `{other}` does not exist"),
        };
        Ok(wording::escalation_refused(mode(requested)?, outcome))
    }

    fn resolve(&mut self, inputs: &Inputs) -> Result<Policy> {
        let session_mode = inputs.session_mode.as_deref().map(mode).transpose()?;
        let resolved = policy::resolve_policy(policy::PolicyInputs {
            approved: None,
            session_mode,
            default_mode: mode(&inputs.default_mode)?,
            session_cwd: inputs.session_cwd.clone(),
            configured_root: inputs.configured_root.clone(),
            session_id: inputs.session_id.clone(),
        });
        Ok(Policy {
            mode: resolved.mode.name().to_owned(),
            workspace_root: resolved.workspace_root,
            session_id: resolved.session_id,
        })
    }

    fn fold(&mut self, modes: &[String]) -> Result<Option<String>> {
        let events: Result<Vec<policy::ModeEvent>> = modes
            .iter()
            .map(|name| {
                Ok(policy::ModeEvent {
                    mode: mode(name)?,
                    source: policy::ModeSource::User,
                })
            })
            .collect();
        Ok(policy::fold_mode_events(events?).map(|mode| mode.name().to_owned()))
    }

    /// A function over values has nobody to ask.
    fn nexts(&self) -> Result<usize> {
        Ok(0)
    }

    fn describe(&mut self, told: &Policy) -> Result<String> {
        Ok(wording::describe_policy(&policy::ExecutionPolicy {
            mode: mode(&told.mode)?,
            workspace_root: told.workspace_root.clone(),
            session_id: told.session_id.clone(),
        }))
    }
}

fn borrowed(prior: &Prior) -> policy::Prior<'_> {
    match prior {
        Prior::Unseen => policy::Prior::Unseen,
        Prior::Absent => policy::Prior::Absent,
        Prior::Present(version) => policy::Prior::Present(version),
    }
}

fn write(guard: policy::WriteGuard<'_>) -> Intent {
    match guard {
        policy::WriteGuard::CreateIfAbsent => Intent::Create,
        policy::WriteGuard::ReplaceIfVersion(version) => Intent::Version(version.to_owned()),
    }
}

fn edit(
    key: &str,
    decided: Result<policy::EditGuard<'_>, policy::EditRefusal>,
) -> Result<Intent, Refusal> {
    decided
        .map(|guard| Intent::Version(guard.0.to_owned()))
        .map_err(|refusal| Refusal {
            code: name_of(refusal.code()).to_owned(),
            message: wording::edit_refused(refusal, key),
        })
}

fn mode(name: &str) -> Result<policy::Mode> {
    policy::Mode::parse(name).map_err(|_| anyhow!("the mode `{name}` does not exist"))
}

/// The codes of guest/policy, in the order of `crate::codes::ALL`.
const CODES: [policy::ErrorCode; 13] = [
    policy::ErrorCode::NotFound,
    policy::ErrorCode::NotDirectory,
    policy::ErrorCode::NotText,
    policy::ErrorCode::NotRegularFile,
    policy::ErrorCode::TooLarge,
    policy::ErrorCode::PermissionDenied,
    policy::ErrorCode::SandboxDenied,
    policy::ErrorCode::IoError,
    policy::ErrorCode::StaleVersion,
    policy::ErrorCode::NotObserved,
    policy::ErrorCode::AmbiguousEdit,
    policy::ErrorCode::EditNotFound,
    policy::ErrorCode::Aborted,
];

fn code_of(name: &str) -> Result<policy::ErrorCode> {
    let found = CODES
        .into_iter()
        .zip(crate::codes::ALL)
        .find(|(_, known)| *known == name);
    found
        .map(|(code, _)| code)
        .ok_or_else(|| anyhow!("the code `{name}` does not exist"))
}

fn name_of(code: policy::ErrorCode) -> &'static str {
    let found = CODES
        .into_iter()
        .zip(crate::codes::ALL)
        .find(|(known, _)| *known == code);
    found.map(|(_, name)| name).expect("every code has a name")
}
