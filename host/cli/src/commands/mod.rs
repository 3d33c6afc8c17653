//! One file a command.

mod audit;
mod completions;
mod component;
mod demo;
mod doctor;
mod policy;
mod policy_check;
mod run;

use crate::args::{Args, Command};
use crate::exit::Failure;

/// Runs the command that was asked for.
pub(crate) fn dispatch(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::Run(args) => run::run(&args),
        Command::Demo => demo::demo(),
        Command::Policy(args) => policy::policy(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Component(args) => component::component(&args),
        Command::Audit(args) => audit::audit(&args),
        Command::Completions { shell } => completions::completions(shell),
    }
}
