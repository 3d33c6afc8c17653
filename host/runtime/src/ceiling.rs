//! The most that a session may do, written down by the host: no component reaches it.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::error::{Code, Error};
use dsh_fs::roots::Roots;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::types::{ExecutionPolicy, Mode};

use crate::wording;

/// The ceiling of one session.
#[derive(Clone)]
pub(crate) struct Ceiling {
    /// The widest mode without a grant.
    pub(crate) mode: Mode,
    /// The workspace root as the component was told.
    pub(crate) told_root: String,
    /// The workspace root, canonical.
    pub(crate) canonical_root: String,
    /// The writable roots, pinned when the session began, and narrowed since.
    pub(crate) pinned: Pinned,
    /// The same before they were narrowed.
    pub(crate) whole: Pinned,
    /// How often they were narrowed, or widened again.
    pub(crate) narrowings: u64,
}

/// The writable roots of each mode, as they were when the session began.
#[derive(Clone)]
pub(crate) struct Pinned {
    read_only: Arc<Roots>,
    workspace_write: Arc<Roots>,
    danger_full_access: Arc<Roots>,
}

impl Pinned {
    /// Pins them now. A root that is another directory later opens nothing.
    pub(crate) fn now(files: &SandboxedFileSystem, root: &str) -> Result<Self, Error> {
        let pin = |mode| {
            files.pin(&ExecutionPolicy {
                mode,
                workspace_root: root.to_owned(),
                session_id: None,
            })
        };
        Ok(Self {
            read_only: pin(Mode::ReadOnly)?,
            workspace_write: pin(Mode::WorkspaceWrite)?,
            danger_full_access: pin(Mode::DangerFullAccess)?,
        })
    }

    /// The same, where nothing is changed outside these directories.
    pub(crate) fn narrowed_to(&self, directories: &[PathBuf]) -> Self {
        let narrowed = |roots: &Roots| Arc::new(roots.narrowed_to(directories));
        Self {
            read_only: narrowed(&self.read_only),
            workspace_write: narrowed(&self.workspace_write),
            danger_full_access: narrowed(&self.danger_full_access),
        }
    }

    /// Those of one mode.
    pub(crate) fn of(&self, mode: Mode) -> Arc<Roots> {
        Arc::clone(match mode {
            Mode::ReadOnly => &self.read_only,
            Mode::WorkspaceWrite => &self.workspace_write,
            Mode::DangerFullAccess => &self.danger_full_access,
        })
    }
}

/// What is wider than the ceiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// The mode.
    Mode,
    /// The root is another directory.
    Root,
}

impl Excess {
    /// The reason, for the audit.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Mode => "a mode wider than the session's, and no grant",
            Self::Root => "a workspace root that is not the session's",
        }
    }
}

impl Ceiling {
    /// Whether nothing may be changed at this key, whatever the mode and whoever approves.
    pub(crate) fn excludes(&self, key: &str) -> bool {
        self.pinned.of(self.mode).excludes(key)
    }

    /// Whether a policy names the session's own root. The name decides nothing else: the
    /// roots of a handle are always the pinned ones.
    pub(crate) fn check_root(&self, policy: &ExecutionPolicy) -> Result<(), Excess> {
        let root = policy.workspace_root.as_str();
        if root == self.told_root || root == self.canonical_root {
            Ok(())
        } else {
            Err(Excess::Root)
        }
    }

    /// Whether a mode needs no grant.
    pub(crate) fn check_mode(&self, mode: Mode) -> Result<(), Excess> {
        if mode <= self.mode {
            Ok(())
        } else {
            Err(Excess::Mode)
        }
    }
}

/// The error that the component gets.
pub(crate) fn denied(message: String, path: Option<&str>, detail: Option<&'static str>) -> Error {
    Error {
        code: Code::SandboxDenied,
        message,
        path: path.map(str::to_owned),
        detail: detail.map(str::to_owned),
    }
}

/// The error for a policy that is wider than the ceiling.
pub(crate) fn too_wide(asked: Mode, excess: Excess) -> Error {
    denied(wording::open_denied(asked), None, Some(excess.reason()))
}
