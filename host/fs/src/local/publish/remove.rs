//! Removing a file that was seen: a compare-and-swap with nothing.
//!
//! Order: lease, compare, take out, look at what came out, ask whether anybody waits to
//! write to it; sync the folder, ask again; remove it for good; release. What came out and
//! is not what was compared, or is waited for, is put back. The name is free in between:
//! whoever makes a file there meanwhile keeps it, and what was taken out is kept beside it.

use super::Publisher;
use super::aside::Aside;
use super::failure::Failure;
use super::lease::Lease;
use super::old::{Change, Old, Seen};
use super::replace::{Held, grade};
use crate::cancel::Cancel;
use crate::local::fence::Place;
use crate::types::{Removal, Target};
use crate::within::Within;

/// One call of `remove`.
pub(super) struct RemoveJob<'r> {
    pub(super) publisher: &'r Publisher,
    pub(super) target: &'r Target,
    pub(super) within: &'r Within,
    pub(super) version: &'r str,
    pub(super) cancel: &'r Cancel,
}

impl RemoveJob<'_> {
    /// Fence, look, guard, permission, cancellation, removal.
    pub(super) fn attempt(&self) -> Result<Removal, Failure> {
        let publisher = self.publisher;
        let place = publisher.fence.place(self.target, self.within)?;
        let old = publisher.look(&place, self.cancel)?;
        let old = old.ok_or(Failure::NotFound)?;
        let seen = old.read(&publisher.secret, false, self.cancel)?;
        if seen.version != self.version {
            return Err(Failure::Stale);
        }
        old.permit_writing(&place.folder, &place.name)?;
        if self.cancel.is_cancelled() {
            return Err(Failure::AbortedEarly);
        }
        let (grade, reason) = self.take_out(&place, old, &seen)?;
        Ok(Removal {
            target: self.target.clone(),
            previous: seen.version,
            grade,
            grade_reason: reason.map(str::to_owned),
        })
    }

    fn take_out(&self, place: &Place, old: Old<'_>, seen: &Seen) -> Result<Held, Failure> {
        let kernel = &self.publisher.kernel;
        let aside = Aside::make(kernel, &place.folder, &seen.version)?;
        let (lease, reason) = match Lease::take(kernel, &old, self.cancel) {
            Ok(lease) => (Some(lease), None),
            Err(reason) => (None, Some(reason)),
        };
        self.compare(&old, seen)?;
        aside.take(&place.name)?;
        match self.stands(&aside, place, (&old, seen), lease.as_ref()) {
            Ok(synced) => {
                if lease.is_none() {
                    // A server keeps an open file under another name, in the way of `rmdir`.
                    drop(lease);
                    drop(old);
                }
                // The name is gone, which is what was asked for. A file that cannot be
                // removed now is removed by the next process in this folder.
                let _ = aside.remove(&place.name);
                Ok(grade(reason, synced))
            }
            Err(failure) => {
                aside.put_back(&place.name);
                Err(failure)
            }
        }
    }

    /// The last look at the file where it is. It ends with the cheapest question.
    fn compare(&self, old: &Old<'_>, seen: &Seen) -> Result<(), Failure> {
        let now = match old.change(seen, &self.publisher.secret, self.cancel)? {
            Change::None(now) | Change::Metadata(now) => now,
            Change::Content => return Err(Failure::Again),
        };
        match old.is_still(&now)? {
            true => Ok(()),
            false => Err(Failure::Again),
        }
    }

    /// Whether what came out is the file that was compared, and nobody could have written
    /// to it unseen; answers whether the folder is synced.
    fn stands(
        &self,
        aside: &Aside<'_>,
        place: &Place,
        (old, seen): (&Old<'_>, &Seen),
        lease: Option<&Lease<'_>>,
    ) -> Result<bool, Failure> {
        if aside.stat(&place.name)?.id != old.stat.id {
            return Err(Failure::Again);
        }
        let stands = self.publisher.stands(&place.folder, (old, seen), lease)?;
        stands.ok_or(Failure::Again)
    }
}
