//! Publishing over a file that was seen: a compare-and-swap on the file itself.
//!
//! Order: metadata, sync, name; lease, compare, exchange, look at what came out, ask
//! whether anybody waits to write to it; sync the folder, ask again; release. What came
//! out is removed with the staging name.
//!
//! Asking again catches a program that had found the old file but was slow to open it.
//! One that is stopped by the scheduler between finding a file and being counted as its
//! writer, a few hundred instructions of the kernel, until all of this is over, cannot be
//! seen by anybody. Likewise one that reads the name in the microseconds in which a file
//! stands there that is then taken back, and renames something made from it over the
//! newest: no kernel has an exchange with a condition.
//!
//! The lease keeps nobody waiting meanwhile who asks for the file by its name.

use std::ffi::CStr;

use super::exchange::{Exchanged, Names, New, Rest};
use super::failure::Failure;
use super::lease::Lease;
use super::marks::Marks;
use super::metadata;
use super::old::{Change, Old, Seen};
use super::stage::Staged;
use super::{Durability, Publisher};
use crate::cancel::Cancel;
use crate::local::fence::{Folder, Place};
use crate::local::sys::Stat;
use crate::name;
use crate::types::{Grade, Target};
use crate::within::Within;
use crate::wording::publication::{NO_EXCHANGE, NOT_SYNCED};

/// A file and what should take its place.
pub(crate) struct Replacement<'r> {
    pub(crate) publisher: &'r Publisher,
    pub(crate) within: &'r Within,
    pub(crate) folder: &'r Folder,
    pub(crate) name: &'r CStr,
    pub(crate) old: &'r Old<'r>,
    pub(crate) seen: &'r Seen,
    /// The version of the staged content.
    pub(crate) intended: &'r str,
    pub(crate) cancel: &'r Cancel,
}

/// How firmly the guard held, and why not better.
pub(crate) type Held = (Grade, Option<&'static str>);

impl Replacement<'_> {
    /// Publishes a staged file whose content is complete.
    pub(crate) fn publish(&self, mut staged: Staged<'_>) -> Result<Held, Failure> {
        let kernel = &self.publisher.kernel;
        let new = metadata::reproduce(kernel, &self.old.file, &self.old.stat, staged.file())?;
        if self.publisher.options.durability == Durability::Full {
            staged.sync()?;
        }
        let marks = Marks {
            guarded: self.seen.version.clone(),
            intended: self.intended.to_owned(),
            target: self.publisher.secret.version_of(self.name.to_bytes()),
        };
        staged.ready(&marks)?;
        if self.cancel.is_cancelled() {
            return Err(Failure::Aborted);
        }
        match Lease::take(kernel, self.old, self.cancel) {
            Ok(lease) => self.swap(&mut staged, new, Some(&lease), None),
            Err(reason) => self.swap(&mut staged, new, None, Some(reason)),
        }
    }

    fn swap(
        &self,
        staged: &mut Staged<'_>,
        new: Stat,
        lease: Option<&Lease<'_>>,
        reason: Option<&'static str>,
    ) -> Result<Held, Failure> {
        let new = self.compare(staged, new)?;
        let find = |path: &[u8]| self.place(path);
        let names = Names {
            kernel: &self.publisher.kernel,
            folder: self.folder,
            staged: staged.name(),
            target: self.name,
            find: &find,
        };
        let new = names.new_file(new)?;
        let undone = match names.exchange(&new, self.old.stat.id) {
            Ok(Exchanged::Expected) => match self.stands(lease) {
                Ok(Some(synced)) => return Ok(grade(reason, synced)),
                Ok(None) => self.put_back(&names, &new, Failure::Again),
                Err(failure) => self.put_back(&names, &new, failure),
            },
            Ok(Exchanged::PutBack(rest)) => (Failure::Again, rest),
            Ok(Exchanged::Unsupported) => return self.rename_over(staged),
            Err(undone) => undone,
        };
        let (failure, rest) = undone;
        if rest == Rest::Theirs {
            staged.abandon();
        }
        Err(failure)
    }

    /// A place beneath the root that was to be written in.
    fn place(&self, path: &[u8]) -> Option<Place> {
        let path = name::to_text(path);
        let target = Target {
            key: path.clone(),
            display: path,
        };
        self.publisher.fence.place(&target, self.within).ok()
    }

    fn put_back(&self, names: &Names<'_>, new: &New, why: Failure) -> (Failure, Rest) {
        match names.put_back(new) {
            Ok(rest) => (why, rest),
            Err(failed) => failed,
        }
    }

    /// The last look at the old file, after which the staged one is only a name. It ends
    /// with the cheapest question, because what happens after it can be undone, but not
    /// unseen.
    fn compare(&self, staged: &mut Staged<'_>, new: Stat) -> Result<Stat, Failure> {
        let kernel = &self.publisher.kernel;
        let change = self
            .old
            .change(self.seen, &self.publisher.secret, self.cancel);
        let (now, new) = match change {
            Ok(Change::None(now)) => (now, new),
            Ok(Change::Metadata(now)) if now.links == 1 => {
                let file = staged.file();
                (
                    now,
                    metadata::reproduce(kernel, &self.old.file, &now, file)?,
                )
            }
            Ok(Change::Metadata(_) | Change::Content) => return Err(Failure::Again),
            Err(Failure::AbortedEarly) => return Err(Failure::Aborted),
            Err(failure) => return Err(failure),
        };
        staged.close();
        match self.old.is_still(&now)? {
            true => Ok(new),
            false => Err(Failure::Again),
        }
    }

    fn stands(&self, lease: Option<&Lease<'_>>) -> Result<Option<bool>, Failure> {
        let displaced = (self.old, self.seen);
        self.publisher.stands(self.folder, displaced, lease)
    }

    fn rename_over(&self, staged: &mut Staged<'_>) -> Result<Held, Failure> {
        let kernel = &self.publisher.kernel;
        let there = kernel.stat_at(self.folder, self.name);
        if there.map(|stat| stat.id) != Ok(self.old.stat.id) {
            return Err(Failure::Again);
        }
        staged.rename_over(self.name)?;
        let synced = self.publisher.sync(self.folder);
        Ok(grade(Some(NO_EXCHANGE), synced))
    }
}

impl Publisher {
    /// Whether nobody could have written unseen to the file that lost its name; and whether
    /// the folder is synced.
    pub(super) fn stands(
        &self,
        folder: &Folder,
        displaced: (&Old<'_>, &Seen),
        lease: Option<&Lease<'_>>,
    ) -> Result<Option<bool>, Failure> {
        if !self.is_untouched(displaced, lease)? {
            return Ok(None);
        }
        let synced = self.sync(folder);
        Ok(self.is_untouched(displaced, lease)?.then_some(synced))
    }

    fn is_untouched(
        &self,
        (old, seen): (&Old<'_>, &Seen),
        lease: Option<&Lease<'_>>,
    ) -> Result<bool, Failure> {
        match lease {
            Some(lease) => Ok(!lease.is_contended()),
            None => old.keeps_content(seen, &self.secret),
        }
    }
}

pub(super) fn grade(reason: Option<&'static str>, synced: bool) -> Held {
    let grade = match reason {
        None => Grade::LeaseChecked,
        Some(_) => Grade::BestEffort,
    };
    (grade, reason.or((!synced).then_some(NOT_SYNCED)))
}
