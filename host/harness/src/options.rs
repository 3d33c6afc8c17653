//! What a deployment and its agents are opened with.

use std::sync::Arc;

use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::transaction::Transactions;
use dsh_fs::types::Mode;
use dsh_fs_runtime::{Approver, AuditSink, RuntimeOptions};
use dsh_fs_state::Store;

use crate::deployment::Deployment;
use crate::shell::ShellAccess;

/// What a deployment is opened with.
pub struct HarnessOptions {
    /// The files, under the rules of the deployment.
    pub files: Arc<SandboxedFileSystem>,
    /// The canonical workspace root.
    pub root: String,
    /// The mode that sessions start in, until a person changes theirs.
    pub mode: Mode,
    /// The component and its limits.
    pub runtime: RuntimeOptions,
    /// The journals of changes of several files, under the secret of the files. Without,
    /// such changes are all or nothing only while the process lives, and say so.
    pub transactions: Option<Arc<Transactions>>,
    /// Where the events go.
    pub audit: Arc<dyn AuditSink>,
    /// Where sessions and grants are kept. Without one no session outlives its agent, and
    /// an answer for longer than one call is remembered until the harness is dropped.
    pub store: Option<Store>,
    /// Who may ask for what, before a person is asked.
    pub deployment: Deployment,
    /// How commands are confined and run; without it there is no tool `bash`.
    pub shell: Option<ShellAccess>,
}

/// What one agent is opened with.
#[derive(Clone)]
pub struct AgentOptions {
    /// Who is asked for wider permissions.
    pub approver: Option<Arc<dyn Approver>>,
    /// Whether a mutation without a guard is refused.
    pub guarding: Guarding,
    /// The session that this one was named by, where a program is started with one and takes
    /// the names of others from its input: of what the deployment says of either
    /// ([`Deployment::may_escalate`]) the stricter answer counts.
    pub named_by: Option<String>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            approver: None,
            guarding: Guarding::Required,
            named_by: None,
        }
    }
}
