//! `dsh-fs exec`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Deployment;

#[derive(ClapArgs)]
#[command(after_help = EXEC_HELP)]
pub(crate) struct ExecArgs {
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// Say on standard error what confines the command, and what is not kept
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Append how the command was confined, and what became of it, to this file as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) audit: Option<PathBuf>,
    /// Let the command have this variable, though it looks like a secret
    #[arg(long, value_name = "NAME")]
    pub(crate) keep_env: Vec<String>,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

const EXEC_HELP: &str = "\
The command has the input and output of this program and no other open file, and its
environment without what looks like a secret (see --keep-env; a help and no fence). It may
write where the file tools may. What confines it has no terminal to control: SIGTERM, SIGINT,
SIGHUP, SIGQUIT and the like are passed on to it. It ends when this program does.

The exit code is the command's, 128 and the number where a signal ended it, or:
  126  its program cannot be executed: the command has not run
  127  its program was not found: the command has not run
  210  the policy kept the command from something (told by what it wrote to standard error);
       the command's own code is said. A terminal is left to the command, and then what it
       wrote is not seen: it ends with its own code
  211  what confines commands failed: the command has not run
  212  nothing on this machine can confine it: the command has not run
A command can end with these codes by itself. Then nothing is said; for each of them this
program says why in a last line that begins with `dsh-fs: error: `, which a command can
write too. What no command can write is the verdict in the file of --audit: `denied`,
`no-program` or `runner-failed` in place of `failed`.
That it has not run is known from the system, and from the report of bubblewrap; of a runner
of the deployment it is told by the words that its configuration names.

Example:
  dsh-fs exec --mode workspace-write -- make test";
