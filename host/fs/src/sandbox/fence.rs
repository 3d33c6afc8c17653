//! The one gate that every mutation passes, in a fixed order: mode, guard, approval, deny-read, bounds, place; last, the approval is used up.
//! Reads pass through its deny-read rules alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Guarding, OneShot};
use crate::cancel::Cancel;
use crate::error::{Code, Error};
use crate::name;
use crate::provider::Provider;
use crate::roots::Roots;
use crate::types::{Mode, Target};
use crate::within::Within;
use crate::wording::{self, Verb};

/// Whether a key lies where the kernel keeps links that lead anywhere, whatever they seem
/// to say: there nothing is changed in any mode, and nobody need be asked about it.
#[must_use]
pub fn leads_through_proc(key: &str) -> bool {
    key.starts_with("/proc/")
}

/// What a handle lets through.
pub(super) struct Fence {
    inner: Arc<dyn Provider>,
    mode: Mode,
    roots: Arc<Roots>,
    guarding: Guarding,
    only: Option<OneShot>,
    used: AtomicBool,
}

impl Fence {
    pub(super) fn new(
        inner: Arc<dyn Provider>,
        mode: Mode,
        roots: Arc<Roots>,
        guarding: Guarding,
        only: Option<OneShot>,
    ) -> Self {
        Self {
            inner,
            mode,
            roots,
            guarding,
            only,
            used: AtomicBool::new(false),
        }
    }

    pub(super) fn roots(&self) -> &Roots {
        &self.roots
    }

    pub(super) fn shared_roots(&self) -> &Arc<Roots> {
        &self.roots
    }

    /// Where this mutation may land, or why it may not happen.
    ///
    /// Nothing is written here, and the answer is only as old as this call: the provider
    /// walks to the target again beneath the root, and follows no link on the way.
    pub(super) fn admit(
        &self,
        verb: Verb,
        target: &Target,
        guarded: bool,
    ) -> Result<Within, Error> {
        if self.mode == Mode::ReadOnly {
            return Err(wording::denied(&target.display, self.mode));
        }
        if self.guarding == Guarding::Required && !guarded {
            return Err(wording::guard_required(verb, &target.display));
        }
        self.check_approved(target)?;
        if self.is_unreadable(target) {
            return Err(wording::deny_read::change_of_unreadable(
                &target.display,
                self.mode,
            ));
        }
        if self.roots.excludes(&target.key) {
            return Err(wording::out_of_bounds(&target.display, self.mode));
        }
        let within = match self.mode {
            Mode::DangerFullAccess if self.roots.is_narrowed() => {
                self.beneath_a_root(verb, target)?
            }
            Mode::WorkspaceWrite => self.beneath_a_root(verb, target)?,
            Mode::DangerFullAccess => self.anywhere(verb, target)?,
            Mode::ReadOnly => return Err(wording::denied(&target.display, self.mode)),
        };
        self.use_up(target)?;
        Ok(within)
    }

    /// Why this content may not be read, in any mode and under any approval.
    ///
    /// The provider opens the key that is looked at here, and follows no link on the way.
    pub(super) fn admit_reading(&self, verb: Verb, target: &Target) -> Result<(), Error> {
        match self.is_unreadable(target) {
            true => Err(wording::deny_read::reading_denied(verb, &target.display)),
            false => Ok(()),
        }
    }

    /// Whether a deny-read rule covers a target: where it is, or as it was spelled.
    pub(super) fn is_unreadable(&self, target: &Target) -> bool {
        self.roots.denies_reading(&target.key) || self.roots.denies_reading(&target.display)
    }

    fn check_approved(&self, target: &Target) -> Result<(), Error> {
        match &self.only {
            Some(only) if only.key != target.key => {
                Err(wording::not_the_approved_target(&target.display, self.mode))
            }
            _ => Ok(()),
        }
    }

    /// The last check, so that a refused attempt leaves the approval; from here on one
    /// attempt has it, whatever comes of it.
    fn use_up(&self, target: &Target) -> Result<(), Error> {
        if self.only.is_some() && self.used.swap(true, Ordering::AcqRel) {
            return Err(wording::approval_used(&target.display, self.mode));
        }
        Ok(())
    }

    fn beneath_a_root(&self, verb: Verb, target: &Target) -> Result<Within, Error> {
        let display = &target.display;
        let workspace = self.roots.workspace();
        if workspace.is_some_and(|root| !root.is_unmoved()) {
            return Err(wording::workspace_moved(display, self.mode));
        }
        let now = self.leads_to(verb, target)?;
        let path = name::to_bytes(&now);
        if leads_through_proc(&now) {
            return Err(wording::magic_link(display, self.mode));
        }
        if self.roots.is_root(&path) {
            return Err(wording::not_regular(verb, display));
        }
        let Some(root) = self.roots.containing(&path) else {
            return Err(wording::denied(display, self.mode));
        };
        if now != target.key {
            return Err(wording::leads_elsewhere(verb, display));
        }
        // The workspace was looked at above, before it was asked where the target leads.
        let looked_at = workspace.is_some_and(|workspace| Arc::ptr_eq(workspace, root));
        if !looked_at && !root.is_unmoved() {
            return Err(wording::root_moved(display, self.mode, &root.text()));
        }
        if let Some(sub_path) = self.roots.protecting(&path) {
            return Err(wording::protected(display, self.mode, &sub_path));
        }
        Ok(Within::beneath(Arc::clone(root)))
    }

    /// Full access uses the target as it was resolved. One that a person approved must
    /// still be the one that the person saw.
    fn anywhere(&self, verb: Verb, target: &Target) -> Result<Within, Error> {
        if leads_through_proc(&target.key) {
            return Err(wording::magic_link(&target.display, self.mode));
        }
        if self.only.is_some() && self.leads_to(verb, target)? != target.key {
            return Err(wording::leads_elsewhere(verb, &target.display));
        }
        Ok(Within::anywhere_unfenced())
    }

    /// Where the target leads now: first by its key, then, if that is unchanged, by the
    /// path that the caller was shown, where that is another. The second can only refuse:
    /// what is written is always the key.
    fn leads_to(&self, verb: Verb, target: &Target) -> Result<String, Error> {
        let by_key = self.resolve_again(verb, &target.key, &target.display)?;
        let shown_as_it_is = target.display == target.key || !target.display.starts_with('/');
        if by_key != target.key || shown_as_it_is {
            return Ok(by_key);
        }
        self.resolve_again(verb, &target.display, &target.display)
    }

    /// Not under the caller's flag: a denial comes before a cancellation.
    fn resolve_again(&self, verb: Verb, path: &str, display: &str) -> Result<String, Error> {
        match self.inner.resolve(path, "/", &Cancel::new()) {
            Ok(target) => Ok(target.key),
            // It resolved once; a loop or a file stands in its way now.
            Err(error) if error.code == Code::NotFound => {
                Err(wording::leads_elsewhere(verb, display))
            }
            Err(error) => Err(error),
        }
    }
}
