//! From the command line to the library: files under rules, the component, and sessions.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::transaction::Transactions;
use dsh_fs::version::VersionSecret;
use dsh_fs_harness::deployment::{AuditFailure, ConfigError, Deployment, KeepHistory, Narrowing};
use dsh_fs_harness::{Harness, HarnessError, HarnessOptions};
use dsh_fs_runtime::{AuditSink, Silent};
use dsh_fs_state::Store;

use crate::args::{self, Components, Keeping};
use crate::components::InUse;
use crate::exit::{Failure, Reason};
use crate::recording::audit_to;
use crate::{recovery, shell, state};

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
    pub(crate) deployment: &'a args::Deployment,
    /// The components.
    pub(crate) components: &'a Components,
    /// The database and the audit, where a command has them.
    pub(crate) keeping: Option<&'a Keeping>,
    /// Whether sessions are kept in the database.
    pub(crate) lasting: bool,
    /// Whether files may be written in place that cannot be replaced.
    pub(crate) in_place: bool,
    /// Whether no old texts are kept.
    pub(crate) no_history: bool,
    /// Where old texts are kept, where that is not the deployment's to say.
    pub(crate) old_texts: Option<OldTexts>,
}

/// The policy, and the files under it.
pub(crate) struct Fenced {
    pub(crate) deployment: Deployment,
    pub(crate) files: Arc<SandboxedFileSystem>,
    /// The canonical workspace.
    pub(crate) root: String,
    /// The journals of changes of several files, where they can be kept.
    pub(crate) transactions: Option<Arc<Transactions>>,
}

impl Setup<'_> {
    /// Opens the deployment, and rolls back what a crash interrupted. That is told on
    /// standard error.
    pub(crate) fn start(&self) -> Result<Harness, Failure> {
        let harness = self.open()?;
        recovery::tell(harness.recover().map_err(|error| error.message));
        Ok(harness)
    }

    /// Opens the deployment. The workspace must be a directory.
    pub(crate) fn open(&self) -> Result<Harness, Failure> {
        let Fenced {
            deployment,
            files,
            root,
            transactions,
        } = self.fence()?;
        self.check_components(&deployment)?;
        let in_use = InUse::named_by(self.components)?;
        let options = HarnessOptions {
            files,
            root,
            mode: deployment.mode,
            runtime: in_use.options.clone(),
            transactions,
            audit: self.audit(&deployment)?,
            store: self.store()?,
            shell: shell::access(&deployment)?,
            deployment,
        };
        Harness::open(options).map_err(|error| match error {
            HarnessError::Component(error) => in_use.broken(&error),
            error => Failure::new(Reason::Workspace, anyhow!("{error}")),
        })
    }

    /// The policy, the files under it, and the canonical workspace.
    pub(crate) fn fence(&self) -> Result<Fenced, Failure> {
        let deployment = self.resolved()?;
        let named = deployment.workspace.as_deref().unwrap_or(Path::new("."));
        let root = workspace(named)?;
        let secret = state::version_secret()?;
        let files = self.files(&deployment, secret.clone())?;
        Ok(Fenced {
            deployment,
            files: Arc::new(files),
            root,
            transactions: state::transactions(secret).map(Arc::new),
        })
    }

    /// The policy of the file, where there is one, under the options.
    fn resolved(&self) -> Result<Deployment, Failure> {
        let flags = Narrowing {
            mode: self.deployment.mode.map(Into::into),
            workspace: self.deployment.workspace.clone(),
            no_temp_roots: self.deployment.no_temp_roots,
            no_history: self.no_history,
            in_place: self.in_place,
        };
        let written = match &self.deployment.config {
            Some(file) => Deployment::read(file),
            None => Ok(Deployment::default()),
        };
        let resolved = written.and_then(|deployment| deployment.narrowed_by(&flags));
        resolved.map_err(of_config)
    }

    /// The local file system, fenced. The environment is read here, once.
    fn files(
        &self,
        deployment: &Deployment,
        secret: VersionSecret,
    ) -> Result<SandboxedFileSystem, Failure> {
        let rules = deployment
            .rules(Some(&std::env::temp_dir()))
            .map_err(of_config)?;
        let rules = self.without_own_files(deployment, rules);
        let options = PublishOptions {
            in_place: deployment.in_place,
            ..PublishOptions::default()
        };
        let local = LocalFileSystem::new(secret.clone(), options);
        let files = SandboxedFileSystem::new(Arc::new(local), rules);
        let old_texts = self.old_texts.unwrap_or(match deployment.history {
            KeepHistory::Folder => OldTexts::Folder,
            KeepHistory::Memory => OldTexts::Memory,
            KeepHistory::Off => OldTexts::Sizes,
        });
        Ok(match old_texts.history(secret) {
            Some(history) => files.with_history(Arc::new(history)),
            None => files,
        })
    }

    /// Keeps the files of this program from agents: nobody reads or changes what it keeps,
    /// in any mode, and what lies beneath a root, the audit too, is read-only for commands.
    fn without_own_files(&self, deployment: &Deployment, rules: RootRules) -> RootRules {
        let named = self.keeping.and_then(|keeping| keeping.state.as_deref());
        let mut roots = deployment.roots.clone();
        roots.extend(deployment.workspace.clone().or_else(|| Some(".".into())));
        roots.extend(deployment.temp_roots.then(|| PathBuf::from("/tmp")));
        roots.extend(deployment.environment_temp.then(std::env::temp_dir));
        let roots: Vec<PathBuf> = roots
            .iter()
            .filter_map(|root| root.canonicalize().ok())
            .collect();
        let own = state::own_files(named);
        let audit = self.audit_file().map(state::places).unwrap_or_default();
        let rules = own.iter().fold(rules, RootRules::with_own);
        let written = own.iter().chain(&audit);
        written
            .filter(|file| roots.iter().any(|root| file.starts_with(root)))
            .fold(rules, RootRules::with_protected)
    }

    /// What decides about the agents must not lie where they could change it.
    fn check_components(&self, deployment: &Deployment) -> Result<(), Failure> {
        let Components { gate, component } = self.components;
        for file in gate.iter().chain(component) {
            deployment.check_program(file).map_err(of_config)?;
        }
        Ok(())
    }

    /// Whether there is an audit, where the deployment does nothing without one.
    pub(crate) fn check_audit(&self, deployment: &Deployment) -> Result<(), Failure> {
        let named = self.audit_file().is_some();
        match deployment.audit_failure {
            AuditFailure::Refuse if !named => Err(no_audit()),
            AuditFailure::Refuse | AuditFailure::Report => Ok(()),
        }
    }

    fn audit(&self, deployment: &Deployment) -> Result<Arc<dyn AuditSink>, Failure> {
        self.check_audit(deployment)?;
        match self.audit_file() {
            Some(file) => audit_to(file),
            None => Ok(Arc::new(Silent)),
        }
    }

    fn audit_file(&self) -> Option<&Path> {
        self.keeping.and_then(|keeping| keeping.audit.as_deref())
    }

    fn store(&self) -> Result<Option<Store>, Failure> {
        match self.keeping {
            Some(keeping) if self.lasting => state::store(keeping.state.as_deref()),
            _ => Ok(None),
        }
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
    let reason = match error {
        HarnessError::Database(_) => Reason::Database,
        _ => Reason::Sandbox,
    };
    Failure::new(reason, anyhow!("{error}"))
}

fn of_config(error: ConfigError) -> Failure {
    Failure::new(Reason::Config, anyhow!("{error}"))
}

fn no_audit() -> Failure {
    let why = anyhow!("CONFIG_WIDENED: the file wants an audit (audit-failure = \"refuse\")");
    Failure::new(Reason::Config, why).hint("name one with --audit FILE")
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
