//! Taking a creation back. The component decides on a write, as for every undo: its policy,
//! its question and its handle are those of a write. What reaches the disk is a removal,
//! under the guard of the host, and the component is told that nothing is there any more.

use std::time::Instant;

use dsh_fs::error::{Code, Error};
use dsh_fs::types::{Removal, Target};
use wasmtime::component::Resource;

use super::filesystem::OpenFiles;
use super::mutation::Intent;
use super::shown::Work;
use crate::audit::Event;
use crate::state::State;
use crate::wording;

impl State {
    /// The answer to a write while a creation is being taken back, which is an error
    /// whatever comes of it; `None` where no creation is.
    pub(super) fn take_back_creation(
        &mut self,
        handle: &Resource<OpenFiles>,
        target: &Target,
    ) -> wasmtime::Result<Option<Error>> {
        let Some(version) = self.journal.creation().map(|made| made.version.clone()) else {
            return Ok(None);
        };
        let since = Instant::now();
        self.renew(handle)?;
        let open = self.table.get(handle)?;
        let intent = Intent {
            verb: "remove",
            target,
            guard: "if-version",
            work: Work::Remove,
        };
        let result = self
            .check_still_allowed(open, &intent)
            .and_then(|()| self.check_undo(&intent))
            .and_then(|()| self.check_shown(open, &intent))
            .and_then(|()| open.files.remove(target, &version, &self.cancel));
        self.record_removal(open, &intent, &result);
        let answer = match result {
            Ok(removal) => self.took_back(removal),
            Err(error) => self.left_standing(error),
        };
        self.charge(since)?;
        Ok(Some(answer))
    }

    /// What a read is told while the component learns of a removal: nothing is there. What
    /// somebody has made there since, or has led the path to, has been seen by nobody.
    pub(super) fn of_the_removed(&self, target: &Target) -> Result<(), Error> {
        match self.journal.removed() {
            None => Ok(()),
            Some(key) if *key == target.key => Err(absent(target)),
            Some(_) => Err(Error {
                code: Code::StaleVersion,
                ..absent(target)
            }),
        }
    }

    fn took_back(&mut self, removal: Removal) -> Error {
        let answer = absent(&removal.target);
        self.journal.took_back(removal);
        answer
    }

    /// A file that is gone already needs not be removed, nor stand in the way.
    fn left_standing(&mut self, error: Error) -> Error {
        if error.code == Code::NotFound {
            self.journal.is_gone();
        }
        error
    }

    fn record_removal(
        &self,
        open: &OpenFiles,
        intent: &Intent<'_>,
        result: &Result<Removal, Error>,
    ) {
        let tool = self.call.tool;
        self.record(match result {
            Ok(removal) => Event::Published {
                tool,
                key: &removal.target.key,
                operation: "remove",
                guard: intent.guard,
                version: None,
                previous: Some(&removal.previous),
                grade: removal.grade.name(),
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
}

fn absent(target: &Target) -> Error {
    Error {
        code: Code::NotFound,
        message: wording::removed(&target.display),
        path: Some(target.display.clone()),
        detail: None,
    }
}
