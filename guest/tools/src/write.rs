//! `write`: a whole file, created or replaced.

use crate::bindings::dsh::fs::filesystem::Files;
use crate::bindings::dsh::fs::types::{Error, Mutation, Operation, Report, Target, WriteGuard};
use crate::bindings::exports::dsh::fs::tools::{ChangeAnswer, Failure, WriteArgs};
use crate::envelope;
use crate::memory::Memory;
use crate::pipeline::{self, Call, Verb};
use crate::seen::PartlySeen;
use crate::session::Session;

/// Creates a file, or replaces one that was seen.
pub(crate) fn write(session: &Session, args: &WriteArgs) -> Result<ChangeAnswer, Failure> {
    let call = Call {
        tool: "write",
        path: &args.file_path,
        escalation: &args.escalation,
    };
    let content = &args.content;
    let (mutation, seen) = pipeline::change(session, call, &Write { content })?;
    let path = &mutation.target.display_path;
    let text = match mutation.operation {
        Operation::Create => envelope::created(path),
        Operation::Update => envelope::updated(path, seen.as_ref()),
    };
    Ok(ChangeAnswer { text, mutation })
}

struct Write<'a> {
    content: &'a str,
}

impl Verb for Write<'_> {
    type Guard = WriteGuard;
    type Remembered = Option<PartlySeen>;

    fn intend(&self, session: &Session, target: &Target) -> Result<WriteGuard, Error> {
        Ok(session.memory().write_intent(target))
    }

    fn mutate(
        &self,
        files: &Files,
        target: &Target,
        guard: &WriteGuard,
        report: Report,
    ) -> Result<Mutation, Error> {
        files.write_text(target, self.content, guard, report)
    }

    fn remember(memory: &Memory, mutation: &Mutation) -> Option<PartlySeen> {
        memory.replaced(mutation)
    }
}
