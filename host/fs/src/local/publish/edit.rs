//! Replacing text in a file, stage by stage. The old content is held once; the new one is
//! pieces of it and of the edit, and is never put together.

use dsh_fs_text::edit::{Content, EditRefusal, plan};
use dsh_fs_text::near::near_miss;
use dsh_fs_text::plan::Plan;
use dsh_fs_text::utf8;

use super::Publisher;
use super::failure::Failure;
use super::in_place::InPlace;
use super::old::{Old, Seen};
use super::replace::{Held, Replacement};
use super::report::{self, Facts};
use super::stage::{Born, Staged};
use crate::cancel::Cancel;
use crate::local::fence::Place;
use crate::types::{Edit, EditGuard, Mutation, Operation, Report, Target};
use crate::within::{Intent, Within};
use crate::wording::publication::nothing_to_edit;
use crate::wording::{self, Verb};

/// The bytes of a byte order mark.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// From this size on, in bytes, the version is compared before the content is held.
const LARGE: u64 = 1 << 20;

/// The largest file that is edited, and that an edit leaves, in bytes: the old content is
/// held once, and a short text that is replaced by a long one everywhere would take hours.
const LARGEST: u64 = 1 << 30;

/// One call of `edit`.
pub(super) struct EditJob<'e> {
    pub(super) publisher: &'e Publisher,
    pub(super) target: &'e Target,
    pub(super) within: &'e Within,
    pub(super) edit: &'e Edit,
    pub(super) guard: &'e EditGuard,
    pub(super) report: Report,
    pub(super) cancel: &'e Cancel,
}

/// An edit that has found its places.
struct Planned<'c> {
    content: Content<'c>,
    plan: Plan,
    version: String,
}

impl EditJob<'_> {
    /// Fence, look, guard, cancellation, search, publication.
    pub(super) fn attempt(&self) -> Result<Mutation, Failure> {
        let place = self.publisher.fence.place(self.target, self.within)?;
        let Some(old) = self.publisher.look(&place, self.cancel)? else {
            return Err(self.missing());
        };
        self.check_size(&old)?;
        let mut seen = old.read(&self.publisher.secret, true, self.cancel)?;
        self.check_version(&seen)?;
        if self.cancel.is_cancelled() {
            return Err(Failure::AbortedEarly);
        }
        let bytes = seen.bytes.take().expect("read with the bytes kept");
        let planned = self.plan(&bytes)?;
        self.tell(&seen.version, &planned.version, &bytes)?;
        let held = match self.publish(&place, &old, &seen, &planned) {
            Err(failure) if self.publisher.writes_in_place(&failure) => {
                let in_place = InPlace::new(self.publisher, &place, self.cancel);
                in_place.publish(old, &seen, pieces(planned.content, &planned.plan))?
            }
            other => other?,
        };
        Ok(self.facts(&planned, held, seen.version))
    }

    /// Whoever is to be told learns of the change before anything is staged.
    fn tell(&self, previous: &str, intended: &str, old: &[u8]) -> Result<(), Failure> {
        if let Some(witness) = self.within.witness() {
            witness.before_publication(&Intent {
                target: self.target,
                previous,
                intended,
                old,
            })?;
        }
        Ok(())
    }

    /// A file that grew since it was seen is refused before it is held in memory.
    fn check_size(&self, old: &Old<'_>) -> Result<(), Failure> {
        let size = old.stat.size;
        if size > LARGE && matches!(self.guard, EditGuard::IfVersion(_)) {
            self.check_version(&old.read(&self.publisher.secret, false, self.cancel)?)?;
        }
        if size > LARGEST {
            let display = &self.target.display;
            return Err(wording::too_large_to_edit(display, size, LARGEST).into());
        }
        Ok(())
    }

    fn missing(&self) -> Failure {
        match self.guard {
            EditGuard::IfVersion(_) => Failure::Gone,
            EditGuard::Unconditional => Failure::NotFound,
        }
    }

    fn check_version(&self, seen: &Seen) -> Result<(), Failure> {
        match self.guard {
            EditGuard::IfVersion(version) if *version != seen.version => Err(Failure::Stale),
            _ => Ok(()),
        }
    }

    fn plan<'b>(&self, bytes: &'b [u8]) -> Result<Planned<'b>, Failure> {
        let (byte_order_mark, text) = utf8::check(bytes)
            .map_err(|why| wording::not_text(Verb::Edit, &self.target.display, why))?;
        let content = Content {
            text,
            byte_order_mark,
        };
        let Edit {
            old_text,
            new_text,
            replace_all,
        } = self.edit;
        let plan = plan(content, old_text, new_text, *replace_all)
            .map_err(|refusal| refused(refusal, &self.target.display, text, old_text))?;
        let size = plan.new_len(text.len());
        if size > LARGEST {
            let display = &self.target.display;
            return Err(wording::too_large_once_edited(display, size, LARGEST).into());
        }
        let mut hasher = self.publisher.secret.hasher();
        pieces(content, &plan).for_each(|piece| hasher.update(piece));
        Ok(Planned {
            content,
            plan,
            version: hasher.finish(),
        })
    }

    fn is_small(&self, planned: &Planned<'_>) -> bool {
        let old = planned.content.text.len();
        let larger = planned.plan.new_len(old).max(old as u64);
        larger < self.publisher.options.diff_limit
    }

    fn publish(
        &self,
        place: &Place,
        old: &Old<'_>,
        seen: &Seen,
        planned: &Planned<'_>,
    ) -> Result<Held, Failure> {
        let publisher = self.publisher;
        old.permit(&place.folder, &place.name)?;
        let staged = Staged::begin(
            &publisher.kernel,
            &place.folder,
            Born::in_place_of(&old.stat),
            publisher.stages_unnamed(),
        )?;
        staged.write(pieces(planned.content, &planned.plan), self.cancel)?;
        Replacement {
            publisher,
            within: self.within,
            folder: &place.folder,
            name: &place.name,
            old,
            seen,
            intended: &planned.version,
            cancel: self.cancel,
        }
        .publish(staged)
    }

    fn facts(&self, planned: &Planned<'_>, (grade, reason): Held, previous: String) -> Mutation {
        let text = planned.content.text;
        let wanted = self.report.texts || (self.report.hunks && self.is_small(planned));
        let after: Option<String> = wanted.then(|| planned.plan.pieces(text).collect());
        let replacements = u32::try_from(planned.plan.replacements()).unwrap_or(u32::MAX);
        report::mutation(
            &self.publisher.options,
            self.report,
            Facts {
                operation: Operation::Update,
                target: self.target,
                version: planned.version.clone(),
                previous: Some(previous),
                replacements: Some(replacements),
                grade,
                reason,
                before: wanted.then(|| text.to_owned()),
                after: after.as_deref(),
            },
        )
    }
}

/// The new content, byte order mark included.
fn pieces<'p>(content: Content<'p>, plan: &'p Plan) -> impl Iterator<Item = &'p [u8]> {
    let mark = content.byte_order_mark.then_some(MARK);
    mark.into_iter()
        .chain(plan.pieces(content.text).map(str::as_bytes))
}

fn refused(refusal: EditRefusal, display: &str, text: &str, old: &str) -> Failure {
    match refusal {
        EditRefusal::Empty => wording::empty_old_text(display),
        EditRefusal::Same => nothing_to_edit(display),
        EditRefusal::NotFound => match near_miss(text, old) {
            Some(near) => wording::detailed(wording::edit_not_found(display), near.sentence()),
            None => wording::edit_not_found(display),
        },
        EditRefusal::Ambiguous { count, lines } => {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            wording::detailed(
                wording::ambiguous_edit(display, count),
                format!("it begins at lines {}", listed(&lines)),
            )
        }
    }
    .into()
}

fn listed(lines: &[u64]) -> String {
    let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
    lines.join(", ")
}
