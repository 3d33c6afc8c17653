//! `dsh-fs completions SHELL`.

use clap::CommandFactory;

use crate::args::Args;
use crate::exit::Failure;
use crate::output;

/// Prints the completions of one shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "dsh-fs", &mut script);
    output::bytes(&script)
}
