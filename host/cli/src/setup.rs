//! From the command line to the library: the provider, the runtime, and a session.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use dsh_fs::history::History;
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_runtime::{Approver, ComponentSource, Runtime, RuntimeOptions, Session, SessionOptions};

use crate::args::{Components, Deployment};
use crate::exit::{Failure, Reason};
use crate::state;

/// A deployment: files under rules, and the mode that sessions start in.
pub(crate) struct Ground {
    files: Arc<SandboxedFileSystem>,
    root: String,
    mode: Mode,
}

impl Ground {
    /// The deployment that the command line describes. The workspace must be a directory.
    pub(crate) fn new(deployment: &Deployment) -> Result<Self, Failure> {
        Self::with(deployment, |_| None)
    }

    /// The same, where stale errors say what changed: with old texts, or by sizes alone.
    pub(crate) fn remembering(deployment: &Deployment, texts: bool) -> Result<Self, Failure> {
        Self::with(deployment, |secret| {
            Some(match texts {
                true => state::history(secret),
                false => History::of_sizes(secret),
            })
        })
    }

    fn with(
        deployment: &Deployment,
        history: impl FnOnce(VersionSecret) -> Option<History>,
    ) -> Result<Self, Failure> {
        let root = workspace(&deployment.workspace)?;
        let secret = state::version_secret()?;
        let mut files = files(secret.clone(), !deployment.no_temp_roots);
        if let Some(history) = history(secret) {
            files = files.with_history(Arc::new(history));
        }
        Ok(Self {
            files: Arc::new(files),
            root,
            mode: deployment.mode.into(),
        })
    }

    /// A session that has seen nothing.
    pub(crate) fn session(
        &self,
        runtime: &Runtime,
        name: &str,
        guarding: Guarding,
        approver: Option<Arc<dyn Approver>>,
    ) -> Result<Session, Failure> {
        let mut options = SessionOptions::new(Arc::clone(&self.files), self.root.clone());
        options.id = Some(name.to_owned());
        options.cwd = Some(self.root.clone());
        options.mode = self.mode;
        options.guarding = guarding;
        options.approver = approver;
        options.report_hunks = true;
        runtime
            .session(options)
            .map_err(|error| Failure::new(Reason::Sandbox, anyhow!("{error}")))
    }
}

/// The local file system, fenced. The environment is read here, once.
fn files(secret: VersionSecret, temp_roots: bool) -> SandboxedFileSystem {
    let rules = if temp_roots {
        RootRules::new(Some(&std::env::temp_dir()))
    } else {
        RootRules::workspace_only()
    };
    let local = LocalFileSystem::new(secret, PublishOptions::default());
    SandboxedFileSystem::new(Arc::new(local), rules)
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
    Ok(dsh_fs::name::to_text(canonical.as_os_str().as_bytes()))
}

/// The runtime with the components that the command line names.
pub(crate) fn runtime(components: &Components) -> Result<Runtime, Failure> {
    let mut options = RuntimeOptions::default();
    if let Some(file) = &components.gate {
        options.component = ComponentSource::Gate(component_file(file)?);
    }
    if let Some(file) = &components.component {
        options.component = ComponentSource::Whole(component_file(file)?);
    }
    Runtime::new(options).map_err(|error| Failure::new(Reason::Component, anyhow!("{error:#}")))
}

/// The bytes of a component that somebody named.
pub(crate) fn component_file(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file)
        .with_context(|| format!("component {}", file.display()))
        .map_err(|error| Failure::new(Reason::Component, error))
}
