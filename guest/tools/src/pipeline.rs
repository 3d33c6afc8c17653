//! The flow of one mutation. Each stage makes a value that nothing outside this file
//! can make, and the next stage takes nothing else:
//!
//! [`check`] → [`Checked::rule`] → [`Ruled::locate`] → [`Located::intend`] →
//! [`Intended::permit`] → [`Permitted::mutate`] → [`Mutated::observe`].
//!
//! Nobody is asked about a call that the gate refuses; what is asked about is what is
//! opened; and what is recorded is what was written.

use std::rc::Rc;

use crate::arguments;
use crate::bindings::dsh::fs::approval::{self, Answer, Question};
use crate::bindings::dsh::fs::filesystem::{self, Files};
use crate::bindings::dsh::fs::sandbox::{self, Circumstances, Refusal};
use crate::bindings::dsh::fs::types::{
    CallErrorCode, Error, ErrorCode, ExecutionPolicy, Grant, Mutation, Report, SandboxMode, Target,
};
use crate::bindings::exports::dsh::fs::tools::{Escalation, Failure};
use crate::envelope;
use crate::failure::{self, WayOut};
use crate::memory::Memory;
use crate::session::{OpenFiles, Session};

/// What a model asked for.
pub(crate) struct Call<'a> {
    pub(crate) tool: &'static str,
    pub(crate) path: &'a str,
    pub(crate) escalation: &'a Escalation,
}

/// A verb: what it must demand, and how it is done.
pub(crate) trait Verb {
    /// What must hold when the file is published.
    type Guard;

    /// What the memory had to say about it.
    type Remembered;

    /// Asks the gate what to demand.
    fn intend(&self, session: &Session, target: &Target) -> Result<Self::Guard, Error>;

    /// Changes the file.
    fn mutate(
        &self,
        files: &Files,
        target: &Target,
        guard: &Self::Guard,
        report: Report,
    ) -> Result<Mutation, Error>;

    /// Records what was written, under the key that was written.
    fn remember(memory: &Memory, mutation: &Mutation) -> Self::Remembered;
}

/// Runs the whole flow.
pub(crate) fn change<V: Verb>(
    session: &Session,
    call: Call<'_>,
    verb: &V,
) -> Result<(Mutation, V::Remembered), Failure> {
    check(session, call)?
        .rule()?
        .locate()?
        .intend(verb)?
        .permit()?
        .mutate(verb)
        .map(Mutated::observe::<V>)
}

/// A call whose arguments make sense.
struct Checked<'a> {
    session: &'a Session,
    call: Call<'a>,
    asked: Option<SandboxMode>,
}

fn check<'a>(session: &'a Session, call: Call<'a>) -> Result<Checked<'a>, Failure> {
    arguments::path(call.path)?;
    let Escalation {
        sandbox_permissions,
        justification,
    } = call.escalation;
    let asked = match (sandbox_permissions, justification) {
        (None, None) => None,
        (mode, reason) => sandbox::check_escalation(mode.as_deref(), reason.as_deref())
            .map_err(failure::invalid)?,
    };
    Ok(Checked {
        session,
        call,
        asked,
    })
}

/// A call whose policy is known, and which may ask for the mode it asks for.
struct Ruled<'a> {
    checked: Checked<'a>,
    policy: Rc<ExecutionPolicy>,
}

impl<'a> Checked<'a> {
    fn rule(self) -> Result<Ruled<'a>, Failure> {
        let policy = self.session.current_policy();
        if let Some(asked) = self.asked {
            let config = self.session.config();
            let circumstances = Circumstances {
                effective: policy.mode,
                confined: config.confined,
                approver: config.approver,
                owner: config.session_id.is_some(),
            };
            sandbox::judge_escalation(asked, circumstances).map_err(refused)?;
        }
        Ok(Ruled {
            checked: self,
            policy,
        })
    }
}

/// A call whose file is known.
struct Located<'a> {
    ruled: Ruled<'a>,
    files: Rc<OpenFiles>,
    target: Target,
}

impl<'a> Ruled<'a> {
    fn locate(self) -> Result<Located<'a>, Failure> {
        let session = self.checked.session;
        let fail = |error| session.failed(error, self.policy.mode);
        let files = session.files().map_err(fail)?;
        let target = files.resolve(self.checked.call.path).map_err(fail)?;
        Ok(Located {
            ruled: self,
            files,
            target,
        })
    }
}

/// A call that the gate lets through, on a condition.
struct Intended<'a, G> {
    located: Located<'a>,
    guard: G,
}

impl<'a> Located<'a> {
    fn intend<V: Verb>(self, verb: &V) -> Result<Intended<'a, V::Guard>, Failure> {
        let session = self.ruled.checked.session;
        let guard = verb
            .intend(session, &self.target)
            .map_err(|error| session.failed(error, self.ruled.policy.mode))?;
        Ok(Intended {
            located: self,
            guard,
        })
    }
}

/// A call with the files it may change: those of the session, or those that a person
/// opened for this one mutation.
struct Permitted<'a, G> {
    session: &'a Session,
    files: Permission,
    mode: SandboxMode,
    target: Target,
    guard: G,
}

enum Permission {
    Standing(Rc<OpenFiles>),
    Once(Files),
}

impl<'a, G> Intended<'a, G> {
    fn permit(self) -> Result<Permitted<'a, G>, Failure> {
        let Located {
            ruled,
            files,
            target,
        } = self.located;
        let Checked {
            session,
            call,
            asked,
        } = ruled.checked;
        let (files, mode) = match asked {
            None => (Permission::Standing(files), ruled.policy.mode),
            Some(mode) => {
                let grant = ask(&call, &target, mode)?;
                let policy = session.approved_policy(mode);
                let files = filesystem::open(&policy, Some(&grant))
                    .map_err(|error| session.failed(error, mode))?;
                (Permission::Once(files), mode)
            }
        };
        Ok(Permitted {
            session,
            files,
            mode,
            target,
            guard: self.guard,
        })
    }
}

/// Asks a person. Every answer but yes is a refusal with its own sentence.
fn ask(call: &Call<'_>, target: &Target, mode: SandboxMode) -> Result<Grant, Failure> {
    let answer = approval::ask(&Question {
        tool: call.tool.to_owned(),
        key: target.key.clone(),
        mode,
        justification: call.escalation.justification.clone().unwrap_or_default(),
    });
    let refusal = match answer {
        Answer::AllowedOnce(grant) => return Ok(grant),
        Answer::Rejected => Refusal::Rejected,
        Answer::Cancelled => Refusal::Cancelled,
        Answer::Unavailable => Refusal::Unavailable,
    };
    Err(refused(sandbox::escalation_refused(mode, refusal)))
}

/// A change that was made, and is not yet remembered.
struct Mutated<'a> {
    session: &'a Session,
    mutation: Mutation,
}

impl<'a, G> Permitted<'a, G> {
    fn mutate<V: Verb<Guard = G>>(self, verb: &V) -> Result<Mutated<'a>, Failure> {
        let files = match &self.files {
            Permission::Standing(files) => files.files(),
            Permission::Once(files) => files,
        };
        let mutation = verb
            .mutate(files, &self.target, &self.guard, self.session.report())
            .map_err(|error| self.session.failed(error, self.mode))?;
        Ok(Mutated {
            session: self.session,
            mutation,
        })
    }
}

impl Mutated<'_> {
    /// Remembers the new version under the key that was written, which is not the one
    /// that was resolved where a link was re-pointed in between.
    fn observe<V: Verb>(self) -> (Mutation, V::Remembered) {
        let remembered = V::remember(self.session.memory(), &self.mutation);
        (self.mutation, remembered)
    }
}

impl Session {
    /// A mutation that failed under this mode.
    fn failed(&self, error: Error, mode: SandboxMode) -> Failure {
        let way_out = match self.config().confined {
            true => WayOut::Escalation,
            false => WayOut::None,
        };
        let unseen = error.code == ErrorCode::NotObserved;
        let failure = failure::file(error, mode, way_out);
        match self.memory().overflow().filter(|_| unseen) {
            Some(fill) => failure.with_line(&envelope::overflow(&fill)),
            None => failure,
        }
    }
}

fn refused(message: String) -> Failure {
    failure::call(CallErrorCode::EscalationRefused, message)
}
