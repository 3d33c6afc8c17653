//! Writes what is handed out and needs no other tool: `dist DIR`. The components, and the
//! WIT package as one binary file. `.ci/dist` adds the rest.

#![allow(
    clippy::disallowed_methods,
    reason = "the program writes into the folder that its user names"
)]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dsh_fs_tests::shipped::{Shipped, write};
use wit_parser::Resolve;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).context("usage: dist DIR")?;
    let folder = PathBuf::from(folder);
    for (name, bytes) in Shipped::default().named() {
        write(&folder.join("components"), name, bytes)?;
    }
    let (name, package) = package()?;
    write(&folder, &name, &package)
}

/// The package of `wit/` in the form that tools read, and what its file is called.
fn package() -> Result<(String, Vec<u8>)> {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve::default();
    let (id, _) = resolve.push_dir(wit)?;
    let name = &resolve.packages[id].name;
    let version = name.version.as_ref().context("a version")?;
    let file = format!("{}-{}-{version}", name.namespace, name.name);
    Ok((file, wit_component::encode(&resolve, id)?))
}
