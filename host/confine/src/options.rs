//! What an embedder chooses once for all commands.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::BadRunner;
use crate::wording;

/// What confines commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best one that a probe shows to work: bubblewrap, then Landlock on Linux;
    /// Seatbelt on macOS. Elsewhere there is none.
    #[default]
    Auto,
    /// Bubblewrap or nothing.
    Bubblewrap,
    /// Landlock or nothing.
    Landlock,
    /// The sandbox of macOS or nothing.
    Seatbelt,
    /// These, in order, whatever the platform is.
    Chain(Vec<Used>),
    /// A program of the embedder that takes the arguments of bubblewrap. It is not probed.
    Custom(Runner),
}

/// The backend that a command was confined with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Used {
    /// None: the mode asks for no confinement.
    Nothing,
    /// Bubblewrap.
    Bubblewrap,
    /// Landlock.
    Landlock,
    /// The sandbox of macOS.
    Seatbelt,
    /// The program that the embedder configured.
    Custom,
}

impl Used {
    /// The name in audits and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "none",
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::Seatbelt => "seatbelt",
            Self::Custom => "custom",
        }
    }
}

/// What happens where a backend can keep the policy in part only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnPartial {
    /// The command runs, and the answer says what is not kept.
    #[default]
    Allow,
    /// The next backend is tried; the command is refused if none keeps all of it.
    Refuse,
}

/// Whether commands reach the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// As any other program does.
    #[default]
    Open,
    /// Not at all. Landlock closes TCP alone and says so.
    Closed,
}

/// A program that takes the arguments of bubblewrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    command: Vec<OsString>,
    failure_signatures: Vec<String>,
    denial_signatures: Vec<String>,
}

impl Runner {
    /// A runner and the texts by which its own failures are told from those of the command.
    ///
    /// # Errors
    /// No program, no signature, or a signature that is blank or has several lines.
    pub fn new(command: Vec<OsString>, failure_signatures: Vec<String>) -> Result<Self, BadRunner> {
        if command.first().is_none_or(|program| program.is_empty()) {
            return Err(wording::runner_without_program());
        }
        if failure_signatures.is_empty() {
            return Err(wording::runner_without_signatures());
        }
        if failure_signatures.iter().any(|text| is_unusable(text)) {
            return Err(wording::unusable_signature());
        }
        Ok(Self {
            command,
            failure_signatures,
            denial_signatures: Vec::new(),
        })
    }

    /// The same, with texts in which its denials show, beside those of bubblewrap.
    ///
    /// # Errors
    /// A signature that is blank or has several lines.
    pub fn with_denials(self, denial_signatures: Vec<String>) -> Result<Self, BadRunner> {
        if denial_signatures.iter().any(|text| is_unusable(text)) {
            return Err(wording::unusable_denial());
        }
        Ok(Self {
            denial_signatures,
            ..self
        })
    }

    /// The program and its first arguments.
    #[must_use]
    pub fn command(&self) -> &[OsString] {
        &self.command
    }

    /// The texts of its own failures.
    #[must_use]
    pub fn failure_signatures(&self) -> &[String] {
        &self.failure_signatures
    }

    /// The texts of its denials.
    #[must_use]
    pub fn denial_signatures(&self) -> &[String] {
        &self.denial_signatures
    }
}

/// Whether no line could hold it, or every line would.
fn is_unusable(signature: &str) -> bool {
    signature.trim().is_empty() || signature.contains(['\n', '\r'])
}

/// What an embedder chooses once for all commands.
#[derive(Clone, Debug)]
pub struct ShellOptions {
    /// What confines commands.
    pub backend: Backend,
    /// What happens where a policy can be kept in part only.
    pub on_partial: OnPartial,
    /// The first words of an argv that calls [`landlock_exec`](crate::landlock_exec) in a
    /// program of the embedder, such as `["dsh-fs", "landlock-exec"]`. Without them
    /// Landlock offers no argv.
    pub landlock_wrapper: Vec<OsString>,
    /// Whether commands reach the network.
    pub network: Network,
    /// The program bubblewrap. A bare name is looked up in the folders of the system
    /// once, never in the `PATH` of a command.
    pub bubblewrap: PathBuf,
    /// How long a probe may take.
    pub probe_timeout: Duration,
}

impl Default for ShellOptions {
    fn default() -> Self {
        Self {
            backend: Backend::default(),
            on_partial: OnPartial::default(),
            landlock_wrapper: Vec::new(),
            network: Network::default(),
            bubblewrap: PathBuf::from("bwrap"),
            probe_timeout: Duration::from_secs(5),
        }
    }
}
