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
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

const EXEC_HELP: &str = "\
The command has the input and output of this program, and its environment without what is
named like a secret. It may write where the file tools may. The exit code is the command's,
128 and the number where a signal ended it, or:
  210  the policy kept the command from something (told by what it wrote to standard error);
       the command's own code is said. A terminal is left to the command, and then what it
       wrote is not seen: it ends with its own code
  211  what confines commands failed: the command has not run
  212  nothing on this machine can confine it: the command has not run

Example:
  dsh-fs exec --mode workspace-write -- make test";
