//! Writing to the file itself, where it cannot be replaced and the embedder allows it.
//!
//! Order: open for writing, lease where it can be had, compare, keep the old bytes in
//! memory, write, cut, sync, look whether the name still means this file. What fails half
//! way is undone as far as that is possible; a crash half way is not.

use std::ffi::CStr;

use rustix::io::Errno;

use super::failure::Failure;
use super::lease::Lease;
use super::old::{Old, Seen};
use super::replace::Held;
use super::{Durability, Publisher};
use crate::cancel::Cancel;
use crate::local::fence::{Folder, Place};
use crate::types::Grade;
use crate::wording::publication::{IN_PLACE, IN_PLACE_UNHELD};

/// A file that is to be written in place.
pub(super) struct InPlace<'p> {
    publisher: &'p Publisher,
    folder: &'p Folder,
    name: &'p CStr,
    cancel: &'p Cancel,
}

impl Publisher {
    /// Whether a replacement that failed so is made in place instead.
    pub(super) fn writes_in_place(&self, failure: &Failure) -> bool {
        let cannot_be_replaced = matches!(
            failure,
            Failure::HardLinked(_) | Failure::MountedOn | Failure::FolderNotWritable(_)
        );
        self.options.in_place && cannot_be_replaced
    }
}

impl<'p> InPlace<'p> {
    pub(super) fn new(publisher: &'p Publisher, place: &'p Place, cancel: &'p Cancel) -> Self {
        Self {
            publisher,
            folder: &place.folder,
            name: &place.name,
            cancel,
        }
    }

    /// Writes these pieces over what was seen.
    pub(super) fn publish<'c>(
        &self,
        old: Old<'_>,
        seen: &Seen,
        pieces: impl Iterator<Item = &'c [u8]>,
    ) -> Result<Held, Failure> {
        let old = old.for_writing(self.folder, self.name, self.cancel)?;
        let lease = Lease::take_sole(&self.publisher.kernel, &old, self.cancel);
        let before = self.compare(&old, seen)?;
        self.overwrite(&old, pieces)
            .map_err(|errno| self.undo(&old, &before, errno))?;
        if !self.has_the_name(&old) {
            // Another file was renamed into place meanwhile, and is the one to look at.
            return match self.restore(&old, &before) {
                Ok(()) => Err(Failure::Again),
                Err(errno) => Err(Failure::Overwriting {
                    errno,
                    restored: false,
                }),
            };
        }
        let reason = match lease {
            Ok(_) => IN_PLACE,
            Err(_) => IN_PLACE_UNHELD,
        };
        Ok((Grade::BestEffort, Some(reason)))
    }

    /// The old bytes, if they are those that were seen and the name still means the file.
    fn compare(&self, old: &Old<'_>, seen: &Seen) -> Result<Vec<u8>, Failure> {
        let read = old.read(&self.publisher.secret, true, self.cancel);
        let now = read.map_err(|failure| match failure {
            Failure::AbortedEarly => Failure::Aborted,
            failure => failure,
        })?;
        if self.cancel.is_cancelled() {
            return Err(Failure::Aborted);
        }
        if now.version != seen.version || !self.has_the_name(old) {
            return Err(Failure::Again);
        }
        Ok(now.bytes.expect("read with the bytes kept"))
    }

    fn has_the_name(&self, old: &Old<'_>) -> bool {
        let there = self.publisher.kernel.stat_at(self.folder, self.name);
        there.is_ok_and(|stat| stat.id == old.stat.id)
    }

    /// Cancellation is not looked at: from the first byte on, finishing is the least harm.
    fn overwrite<'c>(
        &self,
        old: &Old<'_>,
        pieces: impl Iterator<Item = &'c [u8]>,
    ) -> Result<(), Errno> {
        let kernel = &self.publisher.kernel;
        let mut offset = 0;
        for mut rest in pieces {
            while !rest.is_empty() {
                let written = match kernel.write_at(&old.file, rest, offset)? {
                    0 => return Err(Errno::IO),
                    written => written,
                };
                offset += written as u64;
                rest = &rest[written..];
            }
        }
        kernel.truncate(&old.file, offset)?;
        match self.publisher.options.durability {
            Durability::Full => kernel.sync(&old.file),
            Durability::NoSync => Ok(()),
        }
    }

    fn restore(&self, old: &Old<'_>, before: &[u8]) -> Result<(), Errno> {
        self.overwrite(old, std::iter::once(before))
    }

    fn undo(&self, old: &Old<'_>, before: &[u8], errno: Errno) -> Failure {
        let restored = self.restore(old, before).is_ok();
        Failure::Overwriting { errno, restored }
    }
}
