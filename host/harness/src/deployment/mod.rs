//! The policy of a deployment: what a person wrote down about its agents.
//!
//! It comes from one TOML file ([`Deployment::read`]) or from a program. Nothing in it can
//! be widened afterwards: with a file, the environment adds no root and no value is
//! expanded; the command line can only narrow ([`Deployment::narrowed_by`]); and a file that
//! an agent could have changed is refused ([`ConfigCode::UnsafeFile`]).
//!
//! # An example
//! ```
//! use dsh_fs::types::Mode;
//! use dsh_fs_harness::deployment::{Deployment, MayEscalate};
//!
//! let text = r#"
//! mode = "workspace-write"
//! workspace = "/srv/project"
//! roots = ["/srv/cache"]
//! temp-roots = false
//! protected = [".git/hooks", ".git/config"]
//! deny-read = ["**/.env", "/root/.ssh"]
//!
//! [[escalate]]
//! session = "ci-*"
//! answer = "never"
//!
//! [shell]
//! backend = "bubblewrap"
//! on-partial = "refuse"
//! "#;
//! let deployment = Deployment::parse(text, "policy.toml").expect("the example is right");
//! let answer = deployment.may_escalate("ci-7", Mode::DangerFullAccess);
//! assert_eq!(answer, MayEscalate::Never);
//! ```

mod error;
mod escalation;
mod file;
mod keeping;
mod locate;
mod narrowing;
mod parse;
mod shell;
mod wording;
mod written;

use std::path::{Path, PathBuf};

use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;

pub use error::{ConfigCode, ConfigError, Problem};
pub use escalation::{EscalationRule, MayEscalate};
pub use keeping::{AuditFailure, KeepHistory};
pub use narrowing::Narrowing;
pub use shell::{OnPartial, ShellBackend, ShellRules, ShellRunner};
pub use written::schema;

/// What a deployment allows. May be shared between threads.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The mode that sessions start in.
    pub mode: Mode,
    /// The directory to work in; nothing where whoever starts a session says it.
    pub workspace: Option<PathBuf>,
    /// Further writable directories, absolute. One that does not exist contains nothing.
    pub roots: Vec<PathBuf>,
    /// Whether `/tmp` is a writable root.
    pub temp_roots: bool,
    /// Whether the temporary directory of the environment is one too, where `/tmp` is. It is
    /// not where a file describes the deployment.
    pub environment_temp: bool,
    /// Sub-paths that stay read-only, beneath every root or absolute.
    pub protected: Vec<PathBuf>,
    /// Globs of content that nobody reads, in any mode: see [`RootRules::with_deny_read`].
    pub deny_read: Vec<String>,
    /// Who may escalate to what; the first rule that fits answers.
    pub escalation: Vec<EscalationRule>,
    /// How commands are confined.
    pub shell: ShellRules,
    /// Where old texts are kept.
    pub history: KeepHistory,
    /// What becomes of changes while the audit cannot be written.
    pub audit_failure: AuditFailure,
    /// Whether files that cannot be replaced are written in place.
    pub in_place: bool,
    /// The canonical path of the file that it was read from.
    pub file: Option<PathBuf>,
}

impl Default for Deployment {
    /// What the program does where it is told nothing: read-only, with temporary roots for
    /// wider modes, and every escalation is asked about.
    fn default() -> Self {
        Self {
            mode: Mode::ReadOnly,
            workspace: None,
            roots: Vec::new(),
            temp_roots: true,
            environment_temp: true,
            protected: Vec::new(),
            deny_read: Vec::new(),
            escalation: Vec::new(),
            shell: ShellRules::default(),
            history: KeepHistory::default(),
            audit_failure: AuditFailure::default(),
            in_place: false,
            file: None,
        }
    }
}

impl Deployment {
    /// Reads a deployment from TOML. The name stands for the file in messages.
    ///
    /// # Errors
    /// `CONFIG_SYNTAX`, `CONFIG_UNKNOWN_KEY`, `CONFIG_BAD_VALUE`, each with its line and
    /// column; several at once where that is possible.
    pub fn parse(text: &str, name: &str) -> Result<Self, ConfigError> {
        parse::deployment(text, name)
    }

    /// Reads a deployment from a file. What may write to the file must be as trusted as
    /// whoever starts the agents, so it is refused where an agent could reach it.
    ///
    /// # Errors
    /// `CONFIG_UNREADABLE`; `CONFIG_UNSAFE_FILE`: the file, or a link on the way to it, lies
    /// beneath a writable root of this deployment, it has other names, belongs to another
    /// user, or it or a directory above it is writable by others. Then those of
    /// [`Self::parse`].
    ///
    /// Not protected against: an agent under `danger-full-access`, and one that runs as the
    /// owner of the file without confinement.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        file::deployment(path)
    }

    /// Refuses a program that decides about the agents, such as a gate, and lies where they
    /// could change it for the next start. Where no file describes the deployment, whoever
    /// starts it answers for that.
    ///
    /// # Errors
    /// `CONFIG_UNSAFE_FILE`: the program, or a link on the way to it, lies beneath a
    /// writable root.
    pub fn check_program(&self, program: &Path) -> Result<(), ConfigError> {
        match self
            .file
            .as_ref()
            .and_then(|_| file::program_in_reach(self, program))
        {
            Some(reason) => {
                let name = program.display().to_string();
                let problem = Problem::of_file(ConfigCode::UnsafeFile, &name, reason);
                Err(ConfigError::of(problem))
            }
            None => Ok(()),
        }
    }

    /// The rules of the fence and of the shell. The temporary directory of the environment
    /// counts only where no file describes the deployment.
    ///
    /// # Errors
    /// `CONFIG_BAD_VALUE`: a deny-read pattern that no file had a part in is no glob.
    pub fn rules(&self, temp_dir: Option<&Path>) -> Result<RootRules, ConfigError> {
        let mut rules = match self.temp_roots {
            true => RootRules::new(temp_dir.filter(|_| self.environment_temp)),
            false => RootRules::workspace_only(),
        };
        for root in &self.roots {
            rules = rules.with_root(root);
        }
        for path in &self.protected {
            rules = rules.with_protected(path);
        }
        for pattern in &self.deny_read {
            let bad = |error| ConfigError::of(Problem::bad_pattern(pattern, &error));
            rules = rules.with_deny_read(pattern).map_err(bad)?;
        }
        Ok(rules)
    }

    /// What becomes of a request of this session for a wider mode, before anybody is asked.
    /// Whoever names the sessions decides with that which rule fits.
    #[must_use]
    pub fn may_escalate(&self, session: &str, to: Mode) -> MayEscalate {
        let rule = self.escalation.iter().find(|rule| rule.fits(session, to));
        rule.map_or(MayEscalate::Ask, EscalationRule::answer)
    }
}
