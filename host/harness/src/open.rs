//! A deployment that is open.

use std::sync::Arc;

use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::types::Mode;
use dsh_fs_runtime::{Anchor, Approver, AuditSink, Runtime, RuntimeOptions, SessionOptions};

use crate::agent::Agent;
use crate::error::HarnessError;

/// What a deployment is opened with.
pub struct HarnessOptions {
    /// The files, under the rules of the deployment.
    pub files: Arc<SandboxedFileSystem>,
    /// The canonical workspace root.
    pub root: String,
    /// The mode that sessions start in.
    pub mode: Mode,
    /// The component and its limits.
    pub runtime: RuntimeOptions,
    /// Where the events go.
    pub audit: Arc<dyn AuditSink>,
}

/// What one agent is opened with.
#[derive(Clone)]
pub struct AgentOptions {
    /// Who is asked for wider permissions.
    pub approver: Option<Arc<dyn Approver>>,
    /// Whether a mutation without a guard is refused.
    pub guarding: Guarding,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            approver: None,
            guarding: Guarding::Required,
        }
    }
}

/// A deployment that is open. Its sessions stand on one workspace, pinned when it opened.
pub struct Harness {
    options: HarnessOptions,
    runtime: Runtime,
    anchor: Anchor,
}

impl Harness {
    /// Opens a deployment: the workspace is examined and pinned, the component loaded.
    ///
    /// # Errors
    /// [`HarnessError`].
    pub fn open(options: HarnessOptions) -> Result<Self, HarnessError> {
        let anchor = Anchor::pin(&options.files, &options.root).map_err(HarnessError::Workspace)?;
        let runtime = Runtime::new(options.runtime.clone())?;
        Ok(Self {
            options,
            runtime,
            anchor,
        })
    }

    /// The session of this name: taken up where it was left, or one that has seen nothing.
    ///
    /// # Errors
    /// [`HarnessError`].
    pub fn agent(&self, name: &str, options: AgentOptions) -> Result<Agent, HarnessError> {
        let mut session =
            SessionOptions::new(Arc::clone(&self.options.files), self.options.root.clone());
        session.id = Some(name.to_owned());
        session.cwd = Some(self.options.root.clone());
        session.anchor = Some(self.anchor.clone());
        session.mode = self.options.mode;
        session.guarding = options.guarding;
        session.approver = options.approver;
        session.audit = Arc::clone(&self.options.audit);
        let session = self
            .runtime
            .session(session)
            .map_err(HarnessError::Session)?;
        Ok(Agent::new(name, session))
    }
}
