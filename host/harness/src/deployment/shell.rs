//! How commands are confined: the words of the file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How commands are confined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellRules {
    /// By what.
    pub backend: ShellBackend,
    /// What to do where that cannot enforce the whole policy.
    pub on_partial: OnPartial,
    /// The runner of [`ShellBackend::Custom`].
    pub runner: Option<ShellRunner>,
}

/// What confines commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShellBackend {
    /// The first that works on this machine.
    #[default]
    Auto,
    /// bubblewrap.
    Bubblewrap,
    /// Landlock.
    Landlock,
    /// A program of the deployment.
    Custom,
    /// No command is run.
    None,
}

impl ShellBackend {
    /// The word in a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::Custom => "custom",
            Self::None => "none",
        }
    }
}

/// What to do where a backend cannot enforce the whole policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnPartial {
    /// Commands run, and what is not enforced is said.
    #[default]
    Allow,
    /// Commands are refused.
    Refuse,
}

impl OnPartial {
    /// The word in a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
        }
    }
}

/// A program that confines a command which follows its own arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(extend("required" = ["argv", "failure"]))]
pub struct ShellRunner {
    /// The program, by an absolute path, and its arguments; the command is appended.
    pub argv: Vec<String>,
    /// What standard error contains where the runner denied something.
    pub denial: Vec<String>,
    /// What standard error contains where the runner itself could not start: at least one
    /// text of one line. A command that prints it too is taken for a runner that failed.
    pub failure: Vec<String>,
}
