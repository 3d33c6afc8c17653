//! Runs the races at length: `cargo run --release -p dsh-fs --example races -- --help`.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

#[path = "../tests/races/race/mod.rs"]
mod race;

use std::path::PathBuf;
use std::process::ExitCode;

use race::Bound;

const HELP: &str = "\
Runs races against second processes and prints one JSON line a race. Ends with 1 if a promise was broken.

races [NAME...] [--cycles N] [--seconds N] [--dir DIR] [--durable]

  NAME       only races whose name contains it, for example: swap, \"lost update\", grades
  --cycles   guarded mutations a race [20000]
  --seconds  the most that a race takes [600]
  --dir      a folder on the file system to be tried, beside /dev/shm [.]
  --durable  wait for the disk, as the default of the library does
";

struct Asked {
    names: Vec<String>,
    folder: PathBuf,
    bound: Bound,
}

fn main() -> ExitCode {
    if race::actor::play() {
        return ExitCode::SUCCESS;
    }
    let Some(asked) = asked() else {
        print!("{HELP}");
        return ExitCode::from(2);
    };
    match race::length::run(&asked.names, &asked.folder, asked.bound) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn asked() -> Option<Asked> {
    let mut asked = Asked {
        names: Vec::new(),
        folder: PathBuf::from("."),
        bound: Bound {
            cycles: 20_000,
            milliseconds: 600_000,
            durable: false,
        },
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cycles" => asked.bound.cycles = arguments.next()?.parse().ok()?,
            "--seconds" => {
                let seconds: u64 = arguments.next()?.parse().ok()?;
                asked.bound.milliseconds = seconds * 1_000;
            }
            "--dir" => asked.folder = PathBuf::from(arguments.next()?),
            "--durable" => asked.bound.durable = true,
            option if option.starts_with('-') => return None,
            name => asked.names.push(name.to_owned()),
        }
    }
    asked.folder = asked.folder.canonicalize().ok()?;
    Some(asked)
}
