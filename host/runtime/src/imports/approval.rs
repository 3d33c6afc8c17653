//! `dsh:fs/approval`: the host words the question, from the canonical target and the tool
//! that really runs; the component only says that there is one.

use std::time::Instant;

use dsh_fs::name::shown;
use dsh_fs::sandbox::leads_through_proc;
use dsh_fs::types::{Mode, Target};

use crate::approver::{Change, Decision, Question};
use crate::audit::Event;
use crate::bindings::{approval, types as wit};
use crate::change::{self, Found, Preview};
use crate::grants::Grant;
use crate::request::Request;
use crate::state::State;
use crate::wording;

impl approval::Host for State {
    fn ask(&mut self, question: approval::Question) -> wasmtime::Result<approval::Answer> {
        self.check_events()?;
        let asked = match self.what_is_asked(&question) {
            Ok(asked) => asked,
            Err(reason) => {
                self.record(Event::QuestionRefused {
                    tool: &question.tool,
                    key: &question.key,
                    reason,
                });
                return Ok(approval::Answer::Unavailable);
            }
        };
        self.call.asked = true;
        let (grant, decision) = self.put_to_a_person(asked, &question.justification)?;
        Ok(match decision {
            Decision::AllowedOnce
            | Decision::AllowedForSession
            | Decision::AllowedForWorkspace
            | Decision::Remembered(_) => {
                self.record(Event::GrantIssued {
                    tool: grant.tool,
                    key: &grant.key,
                    mode: grant.mode.name(),
                    decision: decision.name(),
                });
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
        self.check_events()?;
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
        if matches!(self.call.request, Request::Other) {
            return Err("the tool that runs changes no file");
        }
        if self.call.asked {
            return Err("a person was asked already in this call");
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
            found: Found::Unknown,
        })
    }

    /// Shows what is to be done, and waits; the grant is then bound to what was shown.
    fn put_to_a_person(
        &mut self,
        mut grant: Grant,
        justification: &str,
    ) -> wasmtime::Result<(Grant, Decision)> {
        let Some(approver) = self.authority.approver.clone() else {
            return Ok((grant, Decision::Unavailable));
        };
        let preview = self.preview(&grant)?;
        grant.found = preview.found;
        let question = self.question(&grant, justification, preview.change);
        let since = Instant::now();
        let decision = approver.ask(&question);
        self.account.spent_on_a_person(since);
        if !matches!(decision, Decision::Remembered(_)) {
            self.record(Event::Asked {
                tool: grant.tool,
                key: &grant.key,
                mode: grant.mode.name(),
                decision: decision.name(),
            });
        }
        Ok((grant, decision))
    }

    fn preview(&mut self, grant: &Grant) -> wasmtime::Result<Preview> {
        let since = Instant::now();
        let target = Target {
            key: grant.key.clone(),
            display: shown(&grant.key),
        };
        let reader = &self.authority.reader;
        let preview = change::preview(&self.call.request, &target, reader, &self.cancel);
        self.charge(since)?;
        Ok(preview)
    }

    fn question(&self, grant: &Grant, justification: &str, change: Option<Change>) -> Question {
        Question {
            tool: grant.tool,
            key: grant.key.clone(),
            path: shown(&grant.key),
            workspace_root: self.authority.ceiling.canonical_root.clone(),
            mode: grant.mode,
            justification: wording::shown_justification(justification),
            session_id: self.authority.label.clone(),
            change,
        }
    }
}
