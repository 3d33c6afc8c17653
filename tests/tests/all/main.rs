//! Every suite over the whole of dsh:fs, in one program.

mod cli;
mod structure;

use std::path::{Path, PathBuf};

/// The folder of the workspace.
fn workspace() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the workspace is above tests/").to_path_buf()
}
