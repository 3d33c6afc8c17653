//! `multi_edit`.

use std::sync::Arc;

use super::Session;
use crate::bindings::tools;
use crate::failure::{CallCode, CallError};
use crate::request::Request;
use crate::verbs::{ChangeAnswer, EditArgs, Escalation, MultiEdit, MultiEditAnswer, MultiEditArgs};
use crate::wording;

/// The most changes of one `multi_edit`.
pub const MOST_EDITS: usize = 100;

/// A change that failed, and which of them it was; `None` where it was none of them.
struct Failed {
    error: CallError,
    number: Option<usize>,
}

impl Session {
    /// Makes several edits, of one file or of several: all of them, or none. They are made
    /// in order, and a later one sees what an earlier one left. Others may see the middle.
    ///
    /// Where an edit fails, every file that was changed gets its former bytes again. A file
    /// that somebody changed meanwhile is left as it is, and the error names it. Undo takes
    /// all of them back as one.
    ///
    /// At most [`MOST_EDITS`] edits, and files of [`dsh_fs::transaction::MOST_BYTES`]
    /// together. Wider permissions are asked for at each edit that is denied without.
    ///
    /// # Errors
    /// `INVALID_ARGUMENTS`: no edits, too many, or a wrong escalation; nothing was begun.
    /// `FS_IO_ERROR`: the journal cannot be written. Otherwise the code of the edit that
    /// failed, which the text names, as [`Session::edit`] has them.
    pub fn multi_edit(&mut self, args: MultiEditArgs) -> Result<MultiEditAnswer, CallError> {
        self.check_edits(&args)?;
        let count = args.edits.len();
        let paths: Vec<String> = args
            .edits
            .iter()
            .map(|edit| edit.file_path.clone())
            .collect();
        let transaction = self.begin_together("multi_edit", false)?;
        let made = self.edit_each(args).and_then(|changes| {
            let ended = transaction.commit().map(|()| changes);
            ended.map_err(|error| Failed {
                error: CallError::of_file(error),
                number: None,
            })
        });
        match made {
            Ok(changes) => {
                self.end_together(true);
                Ok(self.all_made(changes))
            }
            Err(failed) => {
                let back = self.take_back("multi_edit", &transaction);
                self.end_together(false);
                let which = failed.number.map(|number| (number, paths[number].as_str()));
                Err(wording::multi::failed(failed.error, which, count, &back))
            }
        }
    }

    fn edit_each(&mut self, args: MultiEditArgs) -> Result<Vec<ChangeAnswer>, Failed> {
        let mut changes = Vec::new();
        for (number, edit) in args.edits.into_iter().enumerate() {
            let change = self.edit_one(edit, &args.escalation);
            changes.push(change.map_err(|error| Failed {
                error,
                number: Some(number),
            })?);
        }
        Ok(changes)
    }

    /// Without wider permissions first: a person is asked only about what needs them.
    fn edit_one(
        &mut self,
        edit: MultiEdit,
        escalation: &Escalation,
    ) -> Result<ChangeAnswer, CallError> {
        let args = EditArgs {
            file_path: edit.file_path,
            old_string: edit.old_string,
            new_string: edit.new_string,
            replace_all: edit.replace_all,
            escalation: Escalation::default(),
        };
        match self.edit_part(args.clone()) {
            Err(error) if error.is_denied() && *escalation != Escalation::default() => self
                .edit_part(EditArgs {
                    escalation: escalation.clone(),
                    ..args
                }),
            answer => answer,
        }
    }

    fn edit_part(&mut self, args: EditArgs) -> Result<ChangeAnswer, CallError> {
        let args = Arc::new(tools::EditArgs::from(args));
        let request = Request::Edit(Arc::clone(&args));
        let answer = self.enter_for("multi_edit", request, |tools, store, handle| {
            tools.call_edit(store, handle, &args)
        })?;
        self.judged("multi_edit", Some(&args.file_path), answer)
    }

    fn all_made(&self, changes: Vec<ChangeAnswer>) -> MultiEditAnswer {
        let survives_a_crash = self.options.transactions.is_some();
        MultiEditAnswer {
            text: wording::multi::made(&changes, survives_a_crash),
            changes,
            survives_a_crash,
        }
    }

    fn check_edits(&self, args: &MultiEditArgs) -> Result<(), CallError> {
        let invalid = |message| Err(CallError::of_call(CallCode::InvalidArguments, message));
        if args.edits.is_empty() {
            return invalid(wording::multi::no_edits());
        }
        if args.edits.len() > MOST_EDITS {
            return invalid(wording::multi::too_many_edits(MOST_EDITS));
        }
        for edit in &args.edits {
            self.check_size("file_path", &edit.file_path)?;
            self.check_size("old_string", &edit.old_string)?;
            self.check_size("new_string", &edit.new_string)?;
        }
        self.check_escalation(&args.escalation)?;
        let Escalation {
            sandbox_permissions,
            justification,
        } = &args.escalation;
        if sandbox_permissions.is_some() != justification.is_some() {
            return invalid(wording::multi::half_an_escalation());
        }
        Ok(())
    }
}
