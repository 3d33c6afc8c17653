//! From the command line to the library: files under rules, the component, and sessions.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::version::VersionSecret;
use dsh_fs_harness::{Harness, HarnessError, HarnessOptions};
use dsh_fs_runtime::Silent;

use crate::args::{Components, Deployment};
use crate::components::InUse;
use crate::exit::{Failure, Reason};
use crate::state;

/// Where old texts are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldTexts {
    /// Nowhere: a stale error does not say what changed.
    Nowhere,
    /// Their sizes and times alone, in memory.
    Sizes,
    /// In memory.
    Memory,
    /// In the state folder.
    Folder,
}

/// What a deployment is opened with, as the command line describes it.
pub(crate) struct Setup<'a> {
    /// The workspace and its policy.
    pub(crate) deployment: &'a Deployment,
    /// The components.
    pub(crate) components: &'a Components,
    /// Whether files may be written in place that cannot be replaced.
    pub(crate) in_place: bool,
    /// Where old texts are kept.
    pub(crate) old_texts: OldTexts,
}

impl Setup<'_> {
    /// Opens the deployment. The workspace must be a directory.
    pub(crate) fn open(&self) -> Result<Harness, Failure> {
        let root = workspace(&self.deployment.workspace)?;
        let files = self.files()?;
        let in_use = InUse::named_by(self.components)?;
        let options = HarnessOptions {
            files: Arc::new(files),
            root,
            mode: self.deployment.mode.into(),
            runtime: in_use.options.clone(),
            audit: Arc::new(Silent),
        };
        Harness::open(options).map_err(|error| match error {
            HarnessError::Component(error) => in_use.broken(&error),
            error => Failure::new(Reason::Workspace, anyhow!("{error}")),
        })
    }

    /// The local file system, fenced. The environment is read here, once.
    fn files(&self) -> Result<SandboxedFileSystem, Failure> {
        let secret = state::version_secret()?;
        let rules = match self.deployment.no_temp_roots {
            false => RootRules::new(Some(&std::env::temp_dir())),
            true => RootRules::workspace_only(),
        };
        let options = PublishOptions {
            in_place: self.in_place,
            ..PublishOptions::default()
        };
        let local = LocalFileSystem::new(secret.clone(), options);
        let files = SandboxedFileSystem::new(Arc::new(local), rules);
        Ok(match self.old_texts.history(secret) {
            Some(history) => files.with_history(Arc::new(history)),
            None => files,
        })
    }
}

impl OldTexts {
    fn history(self, secret: VersionSecret) -> Option<History> {
        match self {
            Self::Nowhere => None,
            Self::Sizes => Some(History::of_sizes(secret)),
            Self::Memory => Some(History::in_memory(secret, HistoryLimits::default())),
            Self::Folder => Some(state::history(secret)),
        }
    }
}

/// A session that could not be started, where nothing can be done without it.
pub(crate) fn no_session(error: HarnessError) -> Failure {
    Failure::new(Reason::Sandbox, anyhow!("{error}"))
}

fn workspace(path: &Path) -> Result<String, Failure> {
    let unusable = |error: anyhow::Error| {
        Failure::new(
            Reason::Workspace,
            error.context(format!("workspace {}", path.display())),
        )
        .hint("name an existing directory with --workspace DIR")
    };
    let canonical = path
        .canonicalize()
        .map_err(|error| unusable(error.into()))?;
    if !canonical.is_dir() {
        return Err(unusable(anyhow!("not a directory")));
    }
    std::fs::read_dir(&canonical).map_err(|error| unusable(error.into()))?;
    Ok(dsh_fs::name::to_text(canonical.as_os_str().as_bytes()))
}
