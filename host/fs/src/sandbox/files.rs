//! Files under one policy: what a session holds.

mod together;

use std::path::PathBuf;
use std::sync::Arc;

use super::Guarding;
use super::fence::Fence;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::provider::{Provider, TextStream};
use crate::roots::Roots;
use crate::types::{
    DirEntry, Edit, EditGuard, ExecutionPolicy, Info, Mode, Mutation, PathInfo, ReadWindow,
    Removal, Report, Target, TextContent, TextWindow, WriteGuard,
};
use crate::wording::Verb;

/// The only mutation that a handle is good for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneShot {
    /// The key of the target, as it was approved.
    pub key: String,
}

/// A stream that was refused.
struct Refused(Error);

impl TextStream for Refused {
    fn next(&mut self, _: &Cancel) -> Result<Option<String>, Error> {
        Err(self.0.clone())
    }

    fn version(&self) -> Option<String> {
        None
    }
}

/// Files under one policy. Reads pass in every mode, except where a deny-read rule covers
/// the target; a mutation passes the fence first. Facts (`stat`, `lstat`) always pass. May be used from several threads at once.
pub struct Files {
    inner: Arc<dyn Provider>,
    policy: ExecutionPolicy,
    fence: Fence,
}

impl Files {
    pub(super) fn new(
        inner: Arc<dyn Provider>,
        policy: ExecutionPolicy,
        roots: Arc<Roots>,
        guarding: Guarding,
        only: Option<OneShot>,
    ) -> Self {
        let fence = Fence::new(Arc::clone(&inner), policy.mode, roots, guarding, only);
        Self {
            inner,
            policy,
            fence,
        }
    }

    /// The policy that the handle is bound to.
    #[must_use]
    pub fn policy(&self) -> &ExecutionPolicy {
        &self.policy
    }

    /// The canonical directories that mutations may touch, in order; empty where there
    /// are none, and where there is no limit.
    #[must_use]
    pub fn writable_roots(&self) -> Vec<String> {
        match self.policy.mode {
            Mode::WorkspaceWrite => self.fence.roots().texts(),
            Mode::ReadOnly | Mode::DangerFullAccess => Vec::new(),
        }
    }

    /// Whether a deny-read rule covers a target: its content may be neither read nor
    /// changed, in any mode, and nobody need be asked about it.
    #[must_use]
    pub fn denies_reading(&self, target: &Target) -> bool {
        self.fence.is_unreadable(target)
    }

    /// See [`Provider::resolve`]; the base is the workspace root where none is given.
    ///
    /// # Errors
    /// Those of the provider.
    pub fn resolve(
        &self,
        path: &str,
        base: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Target, Error> {
        self.inner.resolve(path, self.base(base), cancel)
    }

    /// See [`Provider::process_path`].
    ///
    /// # Errors
    /// Those of the provider.
    pub fn process_path(&self, key: &str) -> Result<PathBuf, Error> {
        self.inner.process_path(key)
    }

    /// See [`Provider::file_url`].
    ///
    /// # Errors
    /// Those of the provider.
    pub fn file_url(&self, key: &str) -> Result<String, Error> {
        self.inner.file_url(key)
    }

    /// See [`Provider::contains`].
    #[must_use]
    pub fn contains(&self, parent: &str, child: &str) -> bool {
        self.inner.contains(parent, child)
    }

    /// See [`Provider::stat`].
    ///
    /// # Errors
    /// Those of the provider.
    pub fn stat(&self, target: &Target, cancel: &Cancel) -> Result<Option<Info>, Error> {
        self.inner.stat(target, cancel)
    }

    /// See [`Provider::lstat`]; the base is the workspace root where none is given.
    ///
    /// # Errors
    /// Those of the provider.
    pub fn lstat(
        &self,
        path: &str,
        base: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Option<PathInfo>, Error> {
        self.inner.lstat(path, self.base(base), cancel)
    }

    /// See [`Provider::read_text`].
    ///
    /// # Errors
    /// `FS_SANDBOX_DENIED`: a deny-read rule covers it. Then those of the provider.
    pub fn read_text(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<TextContent, Error> {
        self.fence.admit_reading(Verb::Read, target)?;
        self.inner.read_text(target, max_bytes, cancel)
    }

    /// See [`Provider::read_window`].
    ///
    /// # Errors
    /// `FS_SANDBOX_DENIED`: a deny-read rule covers it. Then those of the provider.
    pub fn read_window(
        &self,
        target: &Target,
        window: &ReadWindow,
        cancel: &Cancel,
    ) -> Result<TextWindow, Error> {
        self.fence.admit_reading(Verb::Read, target)?;
        self.inner.read_window(target, window, cancel)
    }

    /// See [`Provider::stream_text`]. Where a deny-read rule covers the target, the first
    /// piece is `FS_SANDBOX_DENIED`.
    #[must_use]
    pub fn stream_text(&self, target: &Target) -> Box<dyn TextStream> {
        match self.fence.admit_reading(Verb::Read, target) {
            Ok(()) => self.inner.stream_text(target),
            Err(error) => Box::new(Refused(error)),
        }
    }

    /// See [`Provider::read_bytes`].
    ///
    /// # Errors
    /// `FS_SANDBOX_DENIED`: a deny-read rule covers it. Then those of the provider.
    pub fn read_bytes(
        &self,
        target: &Target,
        max_bytes: u64,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Error> {
        self.fence.admit_reading(Verb::Read, target)?;
        self.inner.read_bytes(target, max_bytes, cancel)
    }

    /// See [`Provider::list_dir`].
    ///
    /// # Errors
    /// `FS_SANDBOX_DENIED`: a deny-read rule covers it. Then those of the provider.
    pub fn list_dir(&self, target: &Target, cancel: &Cancel) -> Result<Vec<DirEntry>, Error> {
        self.fence.admit_reading(Verb::List, target)?;
        self.inner.list_dir(target, cancel)
    }

    /// Publishes a whole file, if the fence lets it through.
    ///
    /// # Errors
    /// `FS_SANDBOX_DENIED`: the policy forbids it. `FS_NOT_OBSERVED`: no guard was given
    /// where one is required. `FS_STALE_VERSION`: the path leads elsewhere now, or the
    /// guard did not hold. Then those of [`Provider::write_text`].
    pub fn write_text(
        &self,
        target: &Target,
        content: &str,
        guard: &WriteGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let guarded = *guard != WriteGuard::Unconditional;
        let within = self.fence.admit(Verb::Write, target, guarded)?;
        self.inner
            .write_text(target, &within, content, guard, report, cancel)
    }

    /// Replaces text in a file, if the fence lets it through.
    ///
    /// # Errors
    /// As [`Self::write_text`], then those of [`Provider::edit_text`].
    pub fn edit_text(
        &self,
        target: &Target,
        edit: &Edit,
        guard: &EditGuard,
        report: Report,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let guarded = *guard != EditGuard::Unconditional;
        let within = self.fence.admit(Verb::Edit, target, guarded)?;
        self.inner
            .edit_text(target, &within, edit, guard, report, cancel)
    }

    /// Removes a file that is still this version, if the fence lets it through. There is
    /// no removal without a version, whatever the handle was opened for.
    ///
    /// # Errors
    /// As [`Self::write_text`], then those of [`Provider::remove`].
    pub fn remove(
        &self,
        target: &Target,
        version: &str,
        cancel: &Cancel,
    ) -> Result<Removal, Error> {
        let within = self.fence.admit(Verb::Remove, target, true)?;
        self.inner.remove(target, &within, version, cancel)
    }

    fn base<'a>(&'a self, given: Option<&'a str>) -> &'a str {
        given.unwrap_or(&self.policy.workspace_root)
    }
}
