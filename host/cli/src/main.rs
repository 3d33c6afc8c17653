//! The program `dsh-fs`: guarded file tools from a terminal or a pipe.

#![allow(
    clippy::disallowed_methods,
    reason = "the program reads the environment and the disk for its libraries"
)]

mod answer;
mod approve;
mod args;
mod commands;
mod components;
mod database;
mod exit;
mod forward;
mod lines;
mod output;
mod paint;
mod recording;
mod recovery;
mod session;
mod sessions;
mod setup;
mod shell;
mod state;

use std::process::ExitCode;

use clap::Parser;

use crate::exit::{Failure, Reason};

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return exit::usage(&error),
    };
    let ended = commands::dispatch(args);
    let written = recording::finish();
    match ended {
        Ok(()) if written => ExitCode::SUCCESS,
        Ok(()) => exit::report(&Failure::told(Reason::Failed)),
        Err(failure) => exit::report(&failure),
    }
}
