//! `write`: a whole file, created or replaced.

use crate::bindings::dsh::fs::filesystem::Files;
use crate::bindings::dsh::fs::types::{Error, Mutation, Operation, Report, Target, WriteGuard};
use crate::bindings::exports::dsh::fs::tools::{ChangeAnswer, Failure, WriteArgs};
use crate::envelope;
use crate::pipeline::{self, Call, Verb};
use crate::session::Session;

/// Creates a file, or replaces one that was seen.
pub(crate) fn write(session: &Session, args: &WriteArgs) -> Result<ChangeAnswer, Failure> {
    let call = Call {
        tool: "write",
        path: &args.file_path,
        escalation: &args.escalation,
    };
    let mutation = pipeline::change(
        session,
        call,
        &Write {
            content: &args.content,
        },
    )?;
    let done = match mutation.operation {
        Operation::Create => "Created file",
        Operation::Update => "Updated file",
    };
    let text = envelope::file(&mutation.target.display_path, done);
    Ok(ChangeAnswer { text, mutation })
}

struct Write<'a> {
    content: &'a str,
}

impl Verb for Write<'_> {
    type Guard = WriteGuard;

    fn intend(&self, session: &Session, target: &Target) -> Result<WriteGuard, Error> {
        Ok(session.write_intent(target))
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
}
