//! What a server is started with.

use std::sync::Arc;

use dsh_fs::sandbox::Guarding;
use dsh_fs_runtime::Approver;

/// Who answers when a call asks for wider permissions.
#[derive(Clone, Default)]
pub enum Approval {
    /// Nobody: every escalation is refused, and none is offered.
    Never,
    /// The person at the client, by elicitation; nobody where the client has none.
    #[default]
    Client,
    /// An approver of the embedder.
    By(Arc<dyn Approver>),
}

/// What a server is started with.
#[derive(Clone)]
#[non_exhaustive]
pub struct McpOptions {
    /// The session that the client works in.
    pub session: String,
    /// Who answers when a call asks for wider permissions.
    pub approval: Approval,
    /// Whether the roots of the client narrow what mutations may touch.
    pub client_roots: bool,
    /// Whether a mutation without a guard is refused.
    pub guarding: Guarding,
}

impl McpOptions {
    /// A guarded session of this name, whose client is asked and whose roots count.
    #[must_use]
    pub fn new(session: impl Into<String>) -> Self {
        Self {
            session: session.into(),
            approval: Approval::Client,
            client_roots: true,
            guarding: Guarding::Required,
        }
    }
}
