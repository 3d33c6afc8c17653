//! What is measured on: folders of two file systems, and sessions of the shipped component.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::name;
use dsh_fs::provider::Provider;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_runtime::{Runtime, RuntimeOptions, Session, SessionOptions};
use tempfile::TempDir;

/// A folder that is removed afterwards.
pub(crate) struct Place {
    folder: TempDir,
    /// The file system that it is on.
    pub(crate) kind: &'static str,
}

impl Place {
    /// In memory, where there is such a file system.
    pub(crate) fn in_memory() -> Result<Self> {
        Self::beneath(Path::new("/dev/shm"))
    }

    /// Beside what was built.
    pub(crate) fn on_disk() -> Result<Self> {
        Self::beneath(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    fn beneath(parent: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("bench-")
            .tempdir_in(parent)
            .with_context(|| format!("no folder in {}", parent.display()))?;
        let kind = match rustix::fs::statfs(folder.path())?.f_type {
            0x0102_1994 => "tmpfs",
            0xEF53 => "ext4",
            _ => "another file system",
        };
        Ok(Self { folder, kind })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The component that ships, ready to run.
pub(crate) fn runtime() -> Result<Runtime> {
    Ok(Runtime::new(RuntimeOptions::default())?)
}

/// What a session over a folder of this machine starts from: an owner, `workspace-write`,
/// the folder alone, no audit.
pub(crate) fn local(root: &Path) -> Result<SessionOptions> {
    let local = LocalFileSystem::new(VersionSecret::random()?, PublishOptions::default());
    Ok(over(Arc::new(local), root))
}

/// The same over any provider.
pub(crate) fn over(provider: Arc<dyn Provider>, root: &Path) -> SessionOptions {
    let files = SandboxedFileSystem::new(provider, RootRules::workspace_only());
    let root = name::to_text(root.as_os_str().as_bytes());
    let mut options = SessionOptions::new(Arc::new(files), root);
    options.id = Some("bench".to_owned());
    options.mode = Mode::WorkspaceWrite;
    options
}

/// A session over a folder.
pub(crate) fn session(root: &Path) -> Result<Session> {
    Ok(runtime()?.session(local(root)?)?)
}

/// A path as a tool takes it.
pub(crate) fn text(path: &Path) -> String {
    name::to_text(path.as_os_str().as_bytes())
}
