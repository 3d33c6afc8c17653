//! `dsh:fs/approval`: the host words the question, from the canonical target and the tool
//! that really runs; the component only says that there is one.

use std::time::Instant;

use dsh_fs::name::shown;
use dsh_fs::sandbox::leads_through_proc;
use dsh_fs::types::Mode;

use crate::approver::{Decision, Question};
use crate::audit::Event;
use crate::bindings::{approval, types as wit};
use crate::grants::Grant;
use crate::state::State;
use crate::wording;

impl approval::Host for State {
    fn ask(&mut self, question: approval::Question) -> wasmtime::Result<approval::Answer> {
        let grant = match self.what_is_asked(&question) {
            Ok(grant) => grant,
            Err(reason) => {
                self.record(Event::QuestionRefused {
                    tool: &question.tool,
                    key: &question.key,
                    reason,
                });
                return Ok(approval::Answer::Unavailable);
            }
        };
        let decision = self.put_to_a_person(&grant, &question.justification);
        Ok(match decision {
            Decision::AllowedOnce => {
                approval::Answer::AllowedOnce(self.authority.grants.issue(grant))
            }
            Decision::Rejected => approval::Answer::Rejected,
            Decision::Cancelled => approval::Answer::Cancelled,
            Decision::Unavailable => approval::Answer::Unavailable,
        })
    }

    fn redeem(
        &mut self,
        token: wit::Grant,
        tool: String,
        key: wit::TargetKey,
        mode: wit::SandboxMode,
    ) -> wasmtime::Result<Result<(), wit::Error>> {
        let result = self
            .use_grant(&token, &tool, mode.into())
            .and_then(|grant| match grant.key == key {
                true => Ok(()),
                false => Err(self.grant_refused("it is for another file")),
            });
        Ok(result.map_err(Into::into))
    }
}

impl State {
    /// What a grant would be good for; or why this component may not ask for it.
    fn what_is_asked(&self, question: &approval::Question) -> Result<Grant, &'static str> {
        if question.tool != self.call.verb() {
            return Err("the tool that it names is not the one that runs");
        }
        let reader = &self.authority.reader;
        let target = reader
            .resolve(&question.key, None, &self.cancel)
            .map_err(|_| "its target cannot be resolved")?;
        if target.key != question.key {
            return Err("its target is not canonical, or was re-pointed");
        }
        if self.authority.ceiling.excludes(&target.key) {
            return Err("its target lies outside the directories that the session is held to");
        }
        if leads_through_proc(&target.key) {
            return Err("its target leads through /proc, where nothing may be changed");
        }
        if reader.denies_reading(&target) {
            return Err("its target is one that the deployment denies reading");
        }
        Ok(Grant {
            tool: self.call.tool,
            key: target.key,
            mode: Mode::from(question.mode),
        })
    }

    fn put_to_a_person(&mut self, grant: &Grant, justification: &str) -> Decision {
        let Some(approver) = self.authority.approver.clone() else {
            return Decision::Unavailable;
        };
        let since = Instant::now();
        let decision = approver.ask(&Question {
            tool: grant.tool,
            path: shown(&grant.key),
            mode: grant.mode,
            justification: wording::shown_justification(justification),
            session_id: self.authority.label.clone(),
        });
        self.account.spent_on_a_person(since);
        self.record(Event::Asked {
            tool: grant.tool,
            key: &grant.key,
            mode: grant.mode.name(),
            decision: decision.name(),
        });
        decision
    }
}
