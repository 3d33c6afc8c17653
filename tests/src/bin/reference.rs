//! Writes the reference of the WIT package into `wit/README.md`.

#![allow(
    clippy::disallowed_methods,
    reason = "the program writes a page of the workspace"
)]

use std::path::Path;

use anyhow::Result;

fn main() -> Result<()> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tests.join("../wit");
    let page = dsh_fs_tests::reference::page(&folder)?;
    Ok(std::fs::write(folder.join("README.md"), page)?)
}
