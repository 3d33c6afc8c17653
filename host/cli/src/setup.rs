//! From the command line to the library: the provider, the runtime, and a session.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_artifacts::{ComponentError, GATE, OBSERVATION, chain, inspect};
use dsh_fs_runtime::{
    Anchor, Approver, CallError, ComponentSource, Runtime, RuntimeOptions, Session, SessionOptions,
};

use crate::args::{Components, Deployment, RunArgs};
use crate::exit::{Failure, Reason};
use crate::state;

/// A deployment: files under rules, and the mode that sessions start in.
pub(crate) struct Ground {
    files: Arc<SandboxedFileSystem>,
    root: String,
    anchor: Anchor,
    mode: Mode,
}

impl Ground {
    /// The deployment that the command line describes. The workspace must be a directory.
    pub(crate) fn new(deployment: &Deployment) -> Result<Self, Failure> {
        Self::with(deployment, PublishOptions::default(), |_| None)
    }

    /// The same, where stale errors say what changed (with old texts, or by sizes alone),
    /// and where files may be written in place if the command line says so.
    pub(crate) fn running(args: &RunArgs) -> Result<Self, Failure> {
        let options = PublishOptions {
            in_place: args.in_place,
            ..PublishOptions::default()
        };
        Self::with(&args.deployment, options, |secret| {
            Some(match args.no_history {
                false => state::history(secret),
                true => History::of_sizes(secret),
            })
        })
    }

    /// The same, with old texts in memory alone.
    pub(crate) fn remembering_in_memory(deployment: &Deployment) -> Result<Self, Failure> {
        Self::with(deployment, PublishOptions::default(), |secret| {
            Some(History::in_memory(secret, HistoryLimits::default()))
        })
    }

    fn with(
        deployment: &Deployment,
        options: PublishOptions,
        history: impl FnOnce(VersionSecret) -> Option<History>,
    ) -> Result<Self, Failure> {
        let root = workspace(&deployment.workspace)?;
        let secret = state::version_secret()?;
        let mut files = files(secret.clone(), options, !deployment.no_temp_roots);
        if let Some(history) = history(secret) {
            files = files.with_history(Arc::new(history));
        }
        let files = Arc::new(files);
        let anchor = Anchor::pin(&files, &root)
            .map_err(|error| Failure::new(Reason::Workspace, anyhow!("{}", error.message)))?;
        Ok(Self {
            files,
            root,
            anchor,
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
    ) -> Result<Session, CallError> {
        let mut options = SessionOptions::new(Arc::clone(&self.files), self.root.clone());
        options.id = Some(name.to_owned());
        options.cwd = Some(self.root.clone());
        options.anchor = Some(self.anchor.clone());
        options.mode = self.mode;
        options.guarding = guarding;
        options.approver = approver;
        options.report_hunks = true;
        runtime.session(options)
    }
}

/// A session that could not be started, where nothing can be done without it.
pub(crate) fn no_session(error: CallError) -> Failure {
    Failure::new(Reason::Sandbox, anyhow!("{error}"))
}

/// The local file system, fenced. The environment is read here, once.
fn files(secret: VersionSecret, options: PublishOptions, temp_roots: bool) -> SandboxedFileSystem {
    let rules = if temp_roots {
        RootRules::new(Some(&std::env::temp_dir()))
    } else {
        RootRules::workspace_only()
    };
    let local = LocalFileSystem::new(secret, options);
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
    std::fs::read_dir(&canonical).map_err(|error| unusable(error.into()))?;
    Ok(dsh_fs::name::to_text(canonical.as_os_str().as_bytes()))
}

/// The runtime with the components that the command line names.
pub(crate) fn runtime(components: &Components) -> Result<Runtime, Failure> {
    let mut options = RuntimeOptions {
        code_cache: state::code_cache(),
        ..RuntimeOptions::default()
    };
    let mut name = "the shipped component".to_owned();
    if let Some(gate) = gate(components)? {
        options.component = ComponentSource::Gate(gate);
        name = named("gate", &components.gate);
    }
    if let Some(file) = &components.component {
        options.component = ComponentSource::Whole(component_file(file)?);
        name = named("component", std::slice::from_ref(file));
    }
    Runtime::new(options)
        .map_err(|error| Failure::new(Reason::Component, anyhow!("{name}: {error:#}")))
}

/// The gate that the command line names: a chain, where it names several, or where the
/// last of them asks a next one.
pub(crate) fn gate(components: &Components) -> Result<Option<Vec<u8>>, Failure> {
    let mut next: Option<Vec<u8>> = None;
    for file in components.gate.iter().rev() {
        let gate = component_file(file)?;
        let broken = |error: ComponentError| {
            let name = named("gate", std::slice::from_ref(file));
            Failure::new(Reason::Component, anyhow!("{name}: {error}"))
        };
        let asks = asks_next(&gate).map_err(broken)?;
        next = Some(match next {
            Some(next) => chain(&gate, &next).map_err(broken)?,
            None if asks => chain(&gate, GATE).map_err(broken)?,
            None => gate,
        });
    }
    Ok(next)
}

/// Whether a gate is a link of a chain.
fn asks_next(gate: &[u8]) -> Result<bool, ComponentError> {
    let imports = inspect(gate)?.imports;
    Ok(imports.iter().any(|import| import.name == OBSERVATION))
}

fn named(kind: &str, files: &[PathBuf]) -> String {
    let files: Vec<_> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    format!("{kind} {}", files.join(", "))
}

/// The bytes of a component that somebody named.
pub(crate) fn component_file(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file)
        .with_context(|| format!("component {}", file.display()))
        .map_err(|error| Failure::new(Reason::Component, error))
}
