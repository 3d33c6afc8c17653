//! Writing a whole file, stage by stage.

use std::ffi::CStr;
use std::iter;

use super::failure::Failure;
use super::in_place::InPlace;
use super::old::{Old, Seen};
use super::parents::MadeParents;
use super::replace::{Held, Replacement};
use super::report::{self, Facts};
use super::stage::{Born, Staged};
use super::{Durability, Publisher};
use crate::cancel::Cancel;
use crate::local::fence::{Folder, Place};
use crate::types::{Grade, Mutation, Operation, Report, Target, WriteGuard};
use crate::within::{Intent, Within};
use crate::wording::publication::NOT_SYNCED;

/// One call of `write`.
pub(super) struct WriteJob<'w> {
    pub(super) publisher: &'w Publisher,
    pub(super) target: &'w Target,
    pub(super) within: &'w Within,
    pub(super) content: &'w str,
    pub(super) guard: &'w WriteGuard,
    pub(super) report: Report,
    pub(super) cancel: &'w Cancel,
}

impl WriteJob<'_> {
    /// Fence, look, guard, cancellation, publication.
    pub(super) fn attempt(&self) -> Result<Mutation, Failure> {
        let place = self.publisher.fence.place(self.target, self.within)?;
        let old = self.publisher.look(&place, self.cancel)?;
        match (self.guard, old) {
            (WriteGuard::CreateIfAbsent, Some(_)) => Err(Failure::Exists),
            (WriteGuard::ReplaceIfVersion(_), None) => Err(Failure::Gone),
            (_, None) => self.create(&place),
            (_, Some(old)) => {
                let seen = self.see(&old)?;
                self.replace(&place, old, seen)
            }
        }
    }

    fn see(&self, old: &Old<'_>) -> Result<Seen, Failure> {
        let shown = (self.report.hunks || self.report.texts) && self.is_small(old.stat.size);
        let keep = shown || self.within.witness().is_some();
        let seen = old.read(&self.publisher.secret, keep, self.cancel)?;
        match self.guard {
            WriteGuard::ReplaceIfVersion(version) if *version != seen.version => {
                Err(Failure::Stale)
            }
            _ => Ok(seen),
        }
    }

    fn is_small(&self, old: u64) -> bool {
        let limit = self.publisher.options.diff_limit;
        old < limit && (self.content.len() as u64) < limit
    }

    fn create(&self, place: &Place) -> Result<Mutation, Failure> {
        self.not_cancelled()?;
        let version = self.version();
        let synced = match place.missing.is_empty() {
            true => {
                self.publish_new(&place.folder, &place.name)?;
                self.publisher.sync(&place.folder)
            }
            false => self.create_with_parents(place, &version)?,
        };
        let reason = (!synced).then_some(NOT_SYNCED);
        let held = (Grade::Atomic, reason);
        Ok(self.facts(Operation::Create, held, version, None))
    }

    /// The file is published where nobody looks, and then all of it at once.
    fn create_with_parents(&self, place: &Place, version: &str) -> Result<bool, Failure> {
        let publisher = self.publisher;
        let (kernel, folder) = (&publisher.kernel, &place.folder);
        publisher
            .recovery
            .enter(publisher.tools(), folder, self.cancel)?;
        let mut parents = MadeParents::make(kernel, folder, &place.missing, version)?;
        self.publish_new(parents.folder(), &place.name)?;
        parents.hold(&place.name);
        let full = publisher.options.durability == Durability::Full;
        let synced = !full || parents.sync().is_ok();
        self.not_cancelled()?;
        parents.publish()?;
        Ok(publisher.sync(folder) && synced)
    }

    fn publish_new(&self, folder: &Folder, name: &CStr) -> Result<(), Failure> {
        let mut staged = self.staged(folder, Born::NEW)?;
        if self.publisher.options.durability == Durability::Full {
            staged.sync()?;
        }
        self.not_cancelled()?;
        match (staged.publish_new(name), self.guard) {
            // Without a guard, what is there now is replaced instead.
            (Err(Failure::Exists), WriteGuard::Unconditional) => Err(Failure::Again),
            (published, _) => published,
        }
    }

    fn replace(&self, place: &Place, old: Old<'_>, seen: Seen) -> Result<Mutation, Failure> {
        self.not_cancelled()?;
        let intended = self.version();
        self.tell(&seen, &intended)?;
        let held = match self.swap(place, &old, &seen, &intended) {
            Err(failure) if self.publisher.writes_in_place(&failure) => {
                let in_place = InPlace::new(self.publisher, place, self.cancel);
                in_place.publish(old, &seen, iter::once(self.content.as_bytes()))?
            }
            other => other?,
        };
        Ok(self.facts(Operation::Update, held, intended, Some(seen)))
    }

    /// Whoever is to be told learns of the change before anything is staged.
    fn tell(&self, seen: &Seen, intended: &str) -> Result<(), Failure> {
        if let (Some(witness), Some(old)) = (self.within.witness(), &seen.bytes) {
            witness.before_publication(&Intent {
                target: self.target,
                previous: &seen.version,
                intended,
                old,
            })?;
        }
        Ok(())
    }

    fn swap(
        &self,
        place: &Place,
        old: &Old<'_>,
        seen: &Seen,
        intended: &str,
    ) -> Result<Held, Failure> {
        old.permit(&place.folder, &place.name)?;
        let staged = self.staged(&place.folder, Born::in_place_of(&old.stat))?;
        Replacement {
            publisher: self.publisher,
            within: self.within,
            folder: &place.folder,
            name: &place.name,
            old,
            seen,
            intended,
            cancel: self.cancel,
        }
        .publish(staged)
    }

    fn staged<'f>(&'f self, folder: &'f Folder, born: Born) -> Result<Staged<'f>, Failure> {
        let publisher = self.publisher;
        let staged = Staged::begin(&publisher.kernel, folder, born, publisher.stages_unnamed())?;
        staged.write(iter::once(self.content.as_bytes()), self.cancel)?;
        Ok(staged)
    }

    fn version(&self) -> String {
        self.publisher.secret.version_of(self.content.as_bytes())
    }

    fn not_cancelled(&self) -> Result<(), Failure> {
        match self.cancel.is_cancelled() {
            true => Err(Failure::Aborted),
            false => Ok(()),
        }
    }

    fn facts(
        &self,
        operation: Operation,
        (grade, reason): Held,
        version: String,
        seen: Option<Seen>,
    ) -> Mutation {
        let (previous, bytes) = match seen {
            Some(seen) => (Some(seen.version), seen.bytes),
            None => (None, None),
        };
        // Kept for a witness alone, they are not for the answer.
        let bytes = bytes.filter(|bytes| self.is_small(bytes.len() as u64));
        let before = bytes.and_then(report::text);
        report::mutation(
            &self.publisher.options,
            self.report,
            Facts {
                operation,
                target: self.target,
                version,
                previous,
                replacements: None,
                grade,
                reason,
                before,
                after: Some(self.content),
            },
        )
    }
}

impl Publisher {
    /// The file at a place, if there is one; the folder is recovered and locked first.
    pub(super) fn look(&self, place: &Place, cancel: &Cancel) -> Result<Option<Old<'_>>, Failure> {
        if !place.missing.is_empty() {
            return Ok(None);
        }
        self.recovery.enter(self.tools(), &place.folder, cancel)?;
        Old::find(&self.kernel, &place.folder, &place.name, cancel)
    }

    /// Waits until the names are on the disk. The file has been published: a failure
    /// here weakens the answer, and does not turn it into another.
    pub(super) fn sync(&self, folder: &Folder) -> bool {
        if self.options.durability == Durability::NoSync {
            // A disk would have let others run meanwhile; see `replace`.
            std::thread::yield_now();
            return true;
        }
        folder.readable && self.kernel.sync(folder).is_ok()
    }
}
