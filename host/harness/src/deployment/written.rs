//! The file as it is written: its keys, and the schema that is made from them.

use dsh_fs::types::Mode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use super::{AuditFailure, KeepHistory, MayEscalate, OnPartial, ShellBackend, ShellRunner};

/// The policy of a deployment of dsh:fs.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "dsh:fs deployment")]
pub(super) struct Written {
    /// The mode that sessions start in; read-only where absent.
    pub(super) mode: Option<ModeWord>,
    /// The directory to work in, absolute; absent, whoever starts the program says it.
    #[schemars(with = "Option<String>", extend("pattern" = "^/"))]
    pub(super) workspace: Option<Spanned<String>>,
    /// Further writable directories, absolute.
    #[schemars(with = "Vec<String>")]
    pub(super) roots: Vec<Spanned<String>>,
    /// Whether /tmp is writable too; true where absent. TMPDIR never is.
    pub(super) temp_roots: Option<bool>,
    /// Sub-paths that stay read-only: relative ones beneath every root, absolute ones.
    #[schemars(with = "Vec<String>")]
    pub(super) protected: Vec<Spanned<String>>,
    /// Globs of content that nobody reads, in any mode: absolute ones, or relative ones
    /// beneath the workspace and every root.
    #[schemars(with = "Vec<String>")]
    pub(super) deny_read: Vec<Spanned<String>>,
    /// Who may escalate to what; the first that fits answers, and where none fits a person
    /// is asked.
    #[schemars(with = "Vec<Escalate>")]
    pub(super) escalate: Vec<Spanned<Escalate>>,
    /// How commands are confined.
    #[schemars(with = "Option<Shell>")]
    pub(super) shell: Option<Spanned<Shell>>,
    /// Where old texts are kept.
    pub(super) history: KeepHistory,
    /// What becomes of changes and commands while the audit cannot be written.
    pub(super) audit_failure: AuditFailure,
    /// Whether files that cannot be replaced are written in place.
    pub(super) in_place: bool,
}

/// A row of the escalation table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(extend("required" = ["answer"]))]
pub(super) struct Escalate {
    /// A glob over names of sessions; every session where absent.
    #[schemars(with = "Option<String>")]
    pub(super) session: Option<Spanned<String>>,
    /// The mode that is asked for; every one where absent.
    pub(super) to: Option<ModeWord>,
    /// What becomes of the request.
    pub(super) answer: Option<MayEscalate>,
}

/// How commands are confined.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Shell {
    /// By what.
    pub(super) backend: ShellBackend,
    /// What to do where that cannot enforce the whole policy.
    pub(super) on_partial: OnPartial,
    /// The program of the backend custom.
    #[schemars(with = "Option<ShellRunner>")]
    pub(super) runner: Option<Spanned<ShellRunner>>,
}

/// A mode, as it is spelled on every surface.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Mode")]
pub(super) enum ModeWord {
    /// No mutation at all.
    ReadOnly,
    /// Mutations beneath the writable roots.
    WorkspaceWrite,
    /// Mutations anywhere.
    DangerFullAccess,
}

impl From<ModeWord> for Mode {
    fn from(word: ModeWord) -> Self {
        match word {
            ModeWord::ReadOnly => Self::ReadOnly,
            ModeWord::WorkspaceWrite => Self::WorkspaceWrite,
            ModeWord::DangerFullAccess => Self::DangerFullAccess,
        }
    }
}

/// The JSON Schema of the file, for editors.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(Written).to_value()
}
