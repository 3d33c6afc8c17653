//! Mutations through a handle: checked once more against the ceiling of now, and written
//! down whatever comes of them.

use std::time::Instant;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::sandbox::Files;
use dsh_fs::types::{EditGuard, Mutation, Operation, Report, Target, WriteGuard};
use wasmtime::component::Resource;

use super::filesystem::OpenFiles;
use super::shown::Work;
use crate::audit::Event;
use crate::bindings::types;
use crate::ceiling::denied;
use crate::state::State;
use crate::wording;

/// What is to be done, for messages and the audit.
pub(super) struct Intent<'a> {
    pub(super) verb: &'static str,
    pub(super) target: &'a Target,
    pub(super) guard: &'static str,
    pub(super) work: Work<'a>,
}

impl State {
    pub(super) fn mutate(
        &mut self,
        handle: &Resource<OpenFiles>,
        intent: &Intent<'_>,
        run: impl FnOnce(&Files, &Cancel) -> Result<Mutation, Error>,
    ) -> wasmtime::Result<Result<types::Mutation, types::Error>> {
        let since = Instant::now();
        self.renew(handle)?;
        let open = self.table.get(handle)?;
        let result = match self.restoring() {
            Some(restoring) => restoring.restore(&self.authority.files, intent.target),
            None => self
                .check_still_allowed(open, intent)
                .and_then(|()| self.check_undo(intent))
                .and_then(|()| self.check_shown(open, intent))
                .and_then(|()| run(&open.files, &self.cancel)),
        };
        self.record_mutation(open, intent, &result);
        if let Ok(mutation) = &result {
            self.note(mutation);
        }
        self.charge(since)?;
        let result = result.map(|mutation| self.without_huge_texts(mutation));
        Ok(result.map(Into::into).map_err(Into::into))
    }

    /// The change is made by now: texts that would burst the component's memory are left
    /// out, rather than let the answer be lost.
    fn without_huge_texts(&self, mut mutation: Mutation) -> Mutation {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let both = length(&mutation.before) + length(&mutation.after);
        if both > self.limits.transfer_bytes {
            mutation.before = None;
            mutation.after = None;
        }
        mutation
    }

    /// A handle may be older than the ceiling: a person can narrow a session while the
    /// component keeps handles, and a granted one ends with its call.
    pub(super) fn check_still_allowed(
        &self,
        open: &OpenFiles,
        intent: &Intent<'_>,
    ) -> Result<(), Error> {
        let (verb, path) = (intent.verb, intent.target.display.as_str());
        let refuse = |message| Err(denied(message, Some(path), None));
        match &open.granted {
            Some(granted) if granted.serial == self.call.serial => Ok(()),
            Some(_) => refuse(wording::grant_over(verb, path)),
            None => {
                let mode = open.files.policy().mode;
                match self.authority.ceiling.check_mode(mode) {
                    Ok(()) => Ok(()),
                    Err(_) => refuse(wording::handle_too_wide(verb, path, mode)),
                }
            }
        }
    }

    /// While a change is being taken back, no file but its own is written: its path may
    /// lead to another one by now, even to a copy.
    pub(super) fn check_undo(&self, intent: &Intent<'_>) -> Result<(), Error> {
        match self.journal.undoing() {
            Some(change) if change.key != intent.target.key => Err(Error {
                code: Code::StaleVersion,
                message: wording::undo_elsewhere(intent.verb, &intent.target.display),
                path: Some(intent.target.display.clone()),
                detail: Some("The path leads to another file now.".into()),
            }),
            _ => Ok(()),
        }
    }

    /// The guard of a write: the component's, or that of the change being taken back, so
    /// that no component can have later work dropped by it. Without a guard of its own, a
    /// write that a person allowed replaces only what was there when they were asked.
    pub(super) fn demanded(
        &self,
        handle: &Resource<OpenFiles>,
        guard: WriteGuard,
    ) -> wasmtime::Result<WriteGuard> {
        let granted = &self.table.get(handle)?.granted;
        Ok(match (self.journal.undoing(), guard, granted) {
            (Some(change), _, _) => WriteGuard::ReplaceIfVersion(change.version.clone()),
            (None, WriteGuard::Unconditional, Some(granted)) => granted.found.guard(),
            (None, guard, _) => guard,
        })
    }

    fn record_mutation(
        &self,
        open: &OpenFiles,
        intent: &Intent<'_>,
        result: &Result<Mutation, Error>,
    ) {
        let tool = self.call.tool;
        self.record(match result {
            Ok(mutation) => Event::Published {
                tool,
                key: &mutation.target.key,
                operation: operation_name(mutation.operation),
                guard: intent.guard,
                version: Some(&mutation.version),
                previous: mutation.previous.as_deref(),
                grade: mutation.grade.name(),
            },
            Err(error) => Event::Refused {
                tool,
                key: &intent.target.key,
                mode: open.files.policy().mode.name(),
                guard: intent.guard,
                code: error.code.name(),
            },
        });
    }

    /// The whole text crosses only in a session whose embedder wants it: otherwise a
    /// component could make the host hold files of any size.
    pub(super) fn allowed_report(&self, asked: types::Report) -> Report {
        Report {
            hunks: asked.contains(types::Report::HUNKS),
            texts: asked.contains(types::Report::TEXTS) && self.authority.report_texts,
        }
    }
}

pub(crate) fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Create => "create",
        Operation::Update => "update",
    }
}

pub(super) fn write_guard_name(guard: &WriteGuard) -> &'static str {
    match guard {
        WriteGuard::CreateIfAbsent => "create-if-absent",
        WriteGuard::ReplaceIfVersion(_) => "replace-if-version",
        WriteGuard::Unconditional => "unconditional",
    }
}

pub(super) fn edit_guard_name(guard: &EditGuard) -> &'static str {
    match guard {
        EditGuard::IfVersion(_) => "if-version",
        EditGuard::Unconditional => "unconditional",
    }
}
