//! What a session starts from.

use std::sync::Arc;

use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::transaction::Transactions;
use dsh_fs::types::Mode;

use crate::anchor::Anchor;
use crate::approver::Approver;
use crate::audit::{AuditSink, Silent};

/// The limits of one read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// The most lines, and the number when none is given.
    pub lines: u32,
    /// The most bytes of text.
    pub bytes: u32,
    /// The most characters of one line.
    pub line_chars: u32,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            lines: 2_000,
            bytes: 51_200,
            line_chars: 2_000,
        }
    }
}

/// Who changed the mode of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeSource {
    /// A person, or the embedder for one.
    User,
    /// Inherited when a sub-agent was started.
    Delegation,
}

impl ModeSource {
    /// The name used on every surface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Delegation => "delegation",
        }
    }
}

/// Everything that a session starts from.
#[derive(Clone)]
pub struct SessionOptions {
    /// A label, never a look-up of rights. Without one, calls have no owner: they may
    /// create, and never replace or edit.
    pub id: Option<String>,
    /// The directory of the session: the base of relative paths and the first writable
    /// root. Without one, `configured_root` is both.
    pub cwd: Option<String>,
    /// The workspace, pinned before. Used where it was pinned for the directory of this
    /// session; without one the workspace is examined and pinned when the session starts.
    pub anchor: Option<Anchor>,
    /// The mode of the deployment, and the ceiling until a person changes it.
    pub mode: Mode,
    /// The root of the deployment.
    pub configured_root: String,
    /// Whether a mutation without a guard is refused, whatever the component says.
    pub guarding: Guarding,
    /// Whether the session is confined to its mode. Without, it may write anywhere: for
    /// embedders who ask for that by name.
    pub confined: bool,
    /// Who is asked for wider permissions.
    pub approver: Option<Arc<dyn Approver>>,
    /// The limits of one read.
    pub read_limits: ReadLimits,
    /// Whether the answer of a mutation carries the whole text before and after. They are
    /// left out where both together are larger than the limit of one transfer.
    pub report_texts: bool,
    /// Whether it carries the changed regions.
    pub report_hunks: bool,
    /// The most targets that the session remembers; 0 stands for the gate's own limit.
    pub ledger_capacity: u32,
    /// The secret under which the memory keeps its keys; random where none is given. Pages
    /// of a snapshot fit a session with the same one, or one that has seen nothing.
    pub seed: Option<(u64, u64)>,
    /// The files.
    pub files: Arc<SandboxedFileSystem>,
    /// The journals of changes of several files, under the secret of the files. Without,
    /// such changes are all or nothing as long as the process lives, and their answer says
    /// that a crash would leave the middle.
    pub transactions: Option<Arc<Transactions>>,
    /// Where the events go.
    pub audit: Arc<dyn AuditSink>,
    /// Whether every read and every listing is an event too.
    pub audit_reads: bool,
}

impl SessionOptions {
    /// A confined, guarded, read-only session over `root`, with nobody to ask and no audit.
    #[must_use]
    pub fn new(files: Arc<SandboxedFileSystem>, root: impl Into<String>) -> Self {
        Self {
            id: None,
            cwd: None,
            anchor: None,
            mode: Mode::ReadOnly,
            configured_root: root.into(),
            guarding: Guarding::Required,
            confined: true,
            approver: None,
            read_limits: ReadLimits::default(),
            report_texts: false,
            report_hunks: true,
            ledger_capacity: 0,
            seed: None,
            files,
            transactions: None,
            audit: Arc::new(Silent),
            audit_reads: false,
        }
    }

    /// The directory that relative paths start from.
    #[must_use]
    pub fn root(&self) -> &str {
        self.cwd.as_deref().unwrap_or(&self.configured_root)
    }

    /// The widest mode without a grant.
    pub(crate) fn starting_mode(&self) -> Mode {
        if self.confined {
            self.mode
        } else {
            Mode::DangerFullAccess
        }
    }
}
