//! What is kept of what agents do: the words of the file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where old texts are kept, for stale errors and undo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeepHistory {
    /// In the state folder.
    #[default]
    Folder,
    /// In memory, as long as the program runs.
    Memory,
    /// Nowhere: sizes and times only.
    Off,
}

impl KeepHistory {
    /// The word in a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Memory => "memory",
            Self::Off => "off",
        }
    }
}

/// What becomes of changes and commands while the audit cannot be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditFailure {
    /// They go on; it is said once, and the lost records are counted.
    #[default]
    Report,
    /// They are refused until it can be written, and without an audit nothing starts. A
    /// command that a person starts (`dsh-fs exec`) is written down when it has ended.
    Refuse,
}

impl AuditFailure {
    /// The word in a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Refuse => "refuse",
        }
    }
}
