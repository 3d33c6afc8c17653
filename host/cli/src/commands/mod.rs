//! One file a command.

mod audit;
mod completions;
mod component;
mod demo;
mod doctor;
mod exec;
mod grant;
mod mcp;
mod one_shot;
mod policy;
mod policy_check;
mod run;
mod session;
mod workspace;

use std::ffi::OsString;

use crate::args::{Args, Command};
use crate::exit::Failure;

/// Runs the command that was asked for.
pub(crate) fn dispatch(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::Run(args) => run::run(&args),
        Command::Mcp(args) => mcp::mcp(&args),
        Command::Read(args) => one_shot::read(&args),
        Command::Write(args) => one_shot::write(&args),
        Command::Edit(args) => one_shot::edit(&args),
        Command::MultiEdit(args) => one_shot::multi_edit(&args),
        Command::List(args) => one_shot::list(&args),
        Command::Undo(args) => one_shot::undo(&args),
        Command::Exec(args) => exec::exec(&args),
        Command::Session(args) => session::session(&args),
        Command::Workspace(args) => workspace::workspace(&args),
        Command::Grant(args) => grant::grant(&args),
        Command::LandlockExec { args } => Err(Failure::with_code(launched(args))),
        Command::Demo => demo::demo(),
        Command::Policy(args) => policy::policy(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Component(args) => component::component(&args),
        Command::Audit(args) => audit::audit(&args),
        Command::Completions { shell } => completions::completions(shell),
    }
}

/// Becomes a command; only a failure comes back, and has been told.
fn launched(args: Vec<OsString>) -> u8 {
    u8::try_from(dsh_fs_confine::landlock_exec(args)).unwrap_or(u8::MAX)
}
