//! `edit`: a literal replacement in a file that was seen.

use crate::arguments;
use crate::bindings::dsh::fs::filesystem::Files;
use crate::bindings::dsh::fs::types::{Edit, EditGuard, Error, Mutation, Report, Target};
use crate::bindings::exports::dsh::fs::tools::{ChangeAnswer, EditArgs, Failure};
use crate::envelope;
use crate::memory::Memory;
use crate::pipeline::{self, Call, Verb};
use crate::session::Session;

/// Replaces text.
pub(crate) fn edit(session: &Session, args: EditArgs) -> Result<ChangeAnswer, Failure> {
    arguments::path(&args.file_path)?;
    arguments::replacement(&args.old_string, &args.new_string)?;
    let call = Call {
        tool: "edit",
        path: &args.file_path,
        escalation: &args.escalation,
    };
    let edit = Edit {
        old_text: args.old_string,
        new_text: args.new_string,
        replace_all: args.replace_all,
    };
    let (mutation, ()) = pipeline::change(session, call, &edit)?;
    let text = envelope::edited(&mutation.target.display_path, edit.replace_all);
    Ok(ChangeAnswer { text, mutation })
}

impl Verb for Edit {
    type Guard = EditGuard;
    type Remembered = ();

    fn intend(&self, session: &Session, target: &Target) -> Result<EditGuard, Error> {
        session.memory().edit_intent(target)
    }

    fn mutate(
        &self,
        files: &Files,
        target: &Target,
        guard: &EditGuard,
        report: Report,
    ) -> Result<Mutation, Error> {
        files.edit_text(target, self, guard, report)
    }

    fn remember(memory: &Memory, mutation: &Mutation) {
        memory.edited(mutation);
    }
}
