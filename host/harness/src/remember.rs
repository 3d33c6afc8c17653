//! Answers that a person gave for longer than one call.
//!
//! The deployment is asked first, then the answers that are kept, then the person. Whatever
//! comes of it, the component gets one grant for one mutation, or none.

use std::sync::Arc;

use dsh_fs_runtime::{Approver, AuditSink, Decision, Event, Question, Record, Scope};

use crate::answers::Answers;
use crate::deployment::MayEscalate;
use crate::rules::Rules;

/// An approver that asks a person only where nobody has answered before.
pub(crate) struct Remembering {
    pub(crate) person: Option<Arc<dyn Approver>>,
    pub(crate) answers: Arc<Answers>,
    pub(crate) rules: Rules,
    pub(crate) audit: Arc<dyn AuditSink>,
}

impl Remembering {
    /// Whether anybody could say yes: without, a model is not told that it may ask.
    pub(crate) fn could_say_yes(&self) -> bool {
        let mut rules = self.rules.deployment.escalation.iter();
        self.person.is_some() || rules.any(|rule| rule.answer() == MayEscalate::Always)
    }

    fn ask_the_person(&self, question: &Question) -> Decision {
        let Some(person) = &self.person else {
            return Decision::Unavailable;
        };
        let decision = person.ask(question);
        let scope = match decision {
            Decision::AllowedForSession => Scope::Session,
            Decision::AllowedForWorkspace => Scope::Workspace,
            other => return other,
        };
        let session = &self.rules.session;
        if !self.answers.keep(session, question, scope) {
            // Nothing was written down: the yes is good for this call alone.
            return Decision::AllowedOnce;
        }
        let kept = Event::GrantRemembered {
            tool: question.tool,
            key: &question.key,
            mode: question.mode.name(),
            scope: scope.name(),
        };
        self.audit.record(&Record::now(Some(session), kept));
        decision
    }
}

impl Approver for Remembering {
    fn ask(&self, question: &Question) -> Decision {
        match self.rules.may_escalate(question.mode) {
            MayEscalate::Never => Decision::Unavailable,
            MayEscalate::Always => Decision::AllowedOnce,
            MayEscalate::Ask => match self.answers.find(&self.rules.session, question) {
                Some(scope) => Decision::Remembered(scope),
                None => self.ask_the_person(question),
            },
        }
    }
}
