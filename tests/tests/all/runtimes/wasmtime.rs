//! The stock program wasmtime, and the plain functions by its `--invoke`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{components, every_line, every_vector, run, workspace};

/// The program that `.ci/wasmtime` builds, or one that is on the path; or why the test
/// cannot run.
pub(super) fn wasmtime() -> Result<PathBuf, String> {
    let wanted = version();
    let built = target().join("wasmtime/bin/wasmtime");
    for program in [built, PathBuf::from("wasmtime")] {
        let told = run(Command::new(&program).arg("--version")).unwrap_or_default();
        if told.split_whitespace().nth(1) == Some(wanted.as_str()) {
            return Ok(program);
        }
    }
    let failed = fs::read_to_string(target().join("wasmtime/missing.txt")).ok();
    let why = failed
        .as_deref()
        .map_or(".ci/wasmtime builds it", str::trim);
    Err(format!("wasmtime {wanted} is not there: {why}"))
}

/// The target folder, in which the folder for tests is.
fn target() -> PathBuf {
    let tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tests.parent().expect("a folder above").to_path_buf()
}

/// The release whose library the host uses.
fn version() -> String {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).expect("the manifest");
    let (_, rest) = manifest
        .split_once("\nwasmtime = { version = \"")
        .expect("wasmtime");
    rest.split('"').next().expect("a version").to_owned()
}

/// The command of the adapter.
pub(super) fn invoking(wasmtime: &Path) -> String {
    let adapter = env!("CARGO_BIN_EXE_stock");
    let folder = components();
    format!(
        "'{adapter}' '{}' '{}'",
        wasmtime.display(),
        folder.display()
    )
}

#[test]
fn the_plain_functions_answer_the_vectors_by_invoke() {
    let wasmtime = match wasmtime() {
        Ok(wasmtime) => wasmtime,
        Err(why) => {
            let count = every_line().len();
            println!(
                "SKIPPED the_plain_functions_answer_the_vectors_by_invoke: {why}; none of {count} \
                 vectors was tried"
            );
            return;
        }
    };
    every_vector(&invoking(&wasmtime), 75);
}
