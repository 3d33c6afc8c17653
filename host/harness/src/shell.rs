//! How the commands of a deployment are run.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dsh_fs_confine::{Environment, Shell};

/// How the commands of a deployment are run.
#[derive(Clone)]
pub struct ShellAccess {
    /// What confines them.
    pub shell: Arc<Shell>,
    /// What they find in their environment.
    pub environment: Environment,
    /// The program that takes `-c COMMAND`.
    pub program: PathBuf,
    /// How long a command may take that says nothing of it.
    pub time_limit: Duration,
    /// How many bytes of each output a model reads: the first half and the last.
    pub output_cap: usize,
}

impl ShellAccess {
    /// `/bin/sh`, two minutes, and 30,000 bytes of each output.
    #[must_use]
    pub fn new(shell: Arc<Shell>, environment: Environment) -> Self {
        Self {
            shell,
            environment,
            program: PathBuf::from("/bin/sh"),
            time_limit: Duration::from_secs(120),
            output_cap: 30_000,
        }
    }
}
