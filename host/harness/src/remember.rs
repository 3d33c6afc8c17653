//! Answers that a person gave for longer than one call.
//!
//! The deployment is asked first, then the database, then the person. Whatever comes of it,
//! the component gets one grant for one mutation, or none.

use std::sync::Arc;

use dsh_fs_runtime::{Approver, AuditSink, Decision, Event, Question, Record, Scope};
use dsh_fs_state::{self as state, NewGrant, Store};

use crate::deployment::{Deployment, MayEscalate};

/// An approver that asks a person only where nobody has answered before.
pub(crate) struct Remembering {
    pub(crate) person: Option<Arc<dyn Approver>>,
    pub(crate) store: Option<Store>,
    pub(crate) deployment: Arc<Deployment>,
    pub(crate) session: String,
    pub(crate) audit: Arc<dyn AuditSink>,
}

impl Remembering {
    /// Whether anybody could say yes: without, a model is not told that it may ask.
    pub(crate) fn could_say_yes(&self) -> bool {
        let mut rules = self.deployment.escalation.iter();
        self.person.is_some() || rules.any(|rule| rule.answer() == MayEscalate::Always)
    }

    /// What a person answered before.
    fn remembered(&self, question: &Question) -> Option<Decision> {
        let store = self.store.as_ref()?;
        let root = &question.workspace_root;
        let (tool, key, mode) = (question.tool, &question.key, question.mode);
        // A database that fails has no answer: the person is asked.
        let grant = store.use_grant(&self.session, root, tool, key, mode);
        Some(match grant.ok()??.grant.scope {
            state::Scope::Session(_) => Decision::Remembered(Scope::Session),
            state::Scope::Workspace(_) => Decision::Remembered(Scope::Workspace),
        })
    }

    fn ask_the_person(&self, question: &Question) -> Decision {
        let Some(person) = &self.person else {
            return Decision::Unavailable;
        };
        let decision = person.ask(question);
        let scope = match decision {
            Decision::AllowedForSession => state::Scope::Session(self.session.clone()),
            Decision::AllowedForWorkspace => {
                state::Scope::Workspace(question.workspace_root.clone())
            }
            other => return other,
        };
        let name = match scope {
            state::Scope::Session(_) => Scope::Session.name(),
            state::Scope::Workspace(_) => Scope::Workspace.name(),
        };
        match self.keep(question, scope) {
            true => {
                self.audit.record(&Record::now(
                    Some(&self.session),
                    Event::GrantRemembered {
                        tool: question.tool,
                        key: &question.key,
                        mode: question.mode.name(),
                        scope: name,
                    },
                ));
                decision
            }
            // Nothing was written down: the yes is good for this call alone.
            false => Decision::AllowedOnce,
        }
    }

    fn keep(&self, question: &Question, scope: state::Scope) -> bool {
        let grant = NewGrant {
            scope,
            tool: question.tool.to_owned(),
            key: question.key.clone(),
            mode: question.mode,
        };
        let store = self.store.as_ref();
        store.is_some_and(|store| store.remember_grant(&grant).is_ok())
    }
}

impl Approver for Remembering {
    fn ask(&self, question: &Question) -> Decision {
        match self.deployment.may_escalate(&self.session, question.mode) {
            MayEscalate::Never => Decision::Unavailable,
            MayEscalate::Always => Decision::AllowedOnce,
            MayEscalate::Ask => self
                .remembered(question)
                .unwrap_or_else(|| self.ask_the_person(question)),
        }
    }
}
