//! A workspace that several sessions stand on, examined and pinned once.

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{EntryKind, ExecutionPolicy, Mode, Target};

use crate::ceiling::Pinned;
use crate::failure::CallError;
use crate::wording;

/// A workspace as it was when it was pinned.
///
/// Sessions that share an anchor share its directories: one that starts later does not
/// look the path up again, so that a directory which took the name meanwhile opens nothing
/// (`FS_SANDBOX_DENIED`).
#[derive(Clone)]
pub struct Anchor {
    /// The root as it was spelled.
    pub(crate) told_root: String,
    /// The root, canonical.
    pub(crate) canonical_root: String,
    /// The writable roots of each mode.
    pub(crate) pinned: Pinned,
}

impl Anchor {
    /// Examines a workspace and pins it, and the other writable roots with it.
    ///
    /// # Errors
    /// `FS_NOT_FOUND` and `FS_NOT_DIRECTORY`: the workspace is not there. Those of the
    /// provider, where it cannot be examined.
    pub fn pin(files: &SandboxedFileSystem, root: &str) -> Result<Self, CallError> {
        let pinned = Pinned::now(files, root).map_err(CallError::of_file)?;
        let policy = ExecutionPolicy {
            mode: Mode::ReadOnly,
            workspace_root: root.to_owned(),
            session_id: None,
        };
        let roots = pinned.of(Mode::ReadOnly);
        let reader = files.open(policy, roots, Guarding::Required, None);
        let workspace = workspace(&reader, root).map_err(CallError::of_file)?;
        Ok(Self {
            told_root: root.to_owned(),
            canonical_root: workspace.key,
            pinned,
        })
    }

    /// The workspace root, canonical.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.canonical_root
    }

    /// What tells the workspace from another directory that has its path later: device,
    /// inode, and where the file system tells it the moment in which it was made. Nothing
    /// where the workspace was no directory when it was pinned.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        let roots = self.pinned.of(Mode::WorkspaceWrite);
        let root = roots.workspace()?;
        let (seconds, nanoseconds) = root.born().unwrap_or_default();
        let (device, inode) = (root.device(), root.inode());
        Some(format!("{device}:{inode}:{seconds}.{nanoseconds:09}"))
    }
}

/// The workspace, if there is such a directory.
fn workspace(reader: &Files, root: &str) -> Result<Target, Error> {
    let cancel = Cancel::new();
    let target = reader.resolve(root, None, &cancel)?;
    let refuse = |code, message| {
        Err(Error {
            code,
            message,
            path: Some(target.display.clone()),
            detail: None,
        })
    };
    match reader.stat(&target, &cancel)? {
        Some(info) if info.kind == EntryKind::Directory => Ok(target),
        Some(_) => refuse(
            Code::NotDirectory,
            wording::workspace_no_directory(&target.display),
        ),
        None => refuse(Code::NotFound, wording::workspace_missing(&target.display)),
    }
}
