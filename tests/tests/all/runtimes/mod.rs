//! The components in other runtimes: the same vectors, through an adapter for each.
//!
//! What is needed is installed below `target/` or beside the adapter; where that cannot be
//! had, the suite says SKIPPED and why.

mod composed;
mod conformance;
mod gates;
mod js;
pub(crate) mod python;
mod wasmtime;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_fs_tests::run::{Options, Verdict};
use dsh_fs_tests::tier::adapter::Adapter;
use dsh_fs_tests::{files, report};

use super::{every_line, vectors_folder, workspace};

/// Runs a program; its output, or why it could not do its work.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let told = format!("{command:?}");
    let output = command
        .output()
        .map_err(|error| format!("{told}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => {
            let why = String::from_utf8_lossy(&output.stderr);
            Err(format!("{told}: {}\n{text}{why}", output.status))
        }
    }
}

/// The folder into which the components were written.
fn components() -> PathBuf {
    static WRITING: Mutex<()> = Mutex::new(());
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("components");
    let mut program = Command::new(env!("CARGO_BIN_EXE_components"));
    run(program.arg(&folder)).expect("the components can be written");
    folder
}

/// Runs every vector through an adapter: none fails, and at least so many pass.
pub(crate) fn every_vector(command: &str, least: usize) {
    let adapter = Adapter::start(command).expect("an adapter that says who it is");
    let name = adapter.name().to_owned();
    let options = Options {
        adapter: Some(Arc::new(adapter)),
        ..Options::default()
    };
    let outcomes = files::run(&[vectors_folder()], None, &options).expect("vectors");
    let told = report::text(&outcomes, false);
    println!("{name}: {}", told.lines().last().unwrap_or_default());
    let passed = outcomes
        .iter()
        .filter(|outcome| outcome.verdict == Verdict::Passed);
    let failed = outcomes
        .iter()
        .any(|outcome| matches!(outcome.verdict, Verdict::Failed(_)));
    assert!(!failed, "{told}");
    assert!(passed.count() >= least, "too few vectors ran:\n{told}");
}
