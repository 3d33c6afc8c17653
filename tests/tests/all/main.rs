//! Every suite over the whole of dsh:fs, in one program.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod chain;
mod cli;
mod codes;
mod dialects;
mod edges;
mod gate;
mod mcp;
mod packages;
mod runtimes;
mod structure;
mod unharmed;
mod vectors;
mod wasi;
mod wit;

use std::path::{Path, PathBuf};

/// The folder of the workspace.
fn workspace() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the workspace is above tests/")
        .to_path_buf()
}

/// The folder of the vectors.
fn vectors_folder() -> PathBuf {
    workspace().join("tests/vectors")
}

/// Every line of every vector file.
fn every_line() -> Vec<String> {
    let files = dsh_fs_tests::files::find(&vectors_folder()).expect("there are vectors");
    let lines = files
        .iter()
        .map(|file| dsh_fs_tests::files::lines(file).expect("lines"));
    lines.flatten().collect()
}
