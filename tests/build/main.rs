//! Builds the components for tests, which `src/components.rs` offers.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script reads sources and writes what it makes of them"
)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

#[path = "../../host/artifacts/build/guests.rs"]
mod guests;

/// The packages and the names of their components.
const COMPONENTS: [(&str, &str); 4] = [
    ("dsh-fs-test-chain-gate", "chain-gate"),
    ("dsh-fs-test-open-gate", "open-gate"),
    ("dsh-fs-test-loop-gate", "loop-gate"),
    ("dsh-fs-test-wasi-gate", "wasi-gate"),
];

fn main() -> Result<()> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let tests = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let workspace = tests.parent().context("the workspace is above tests/")?;
    for input in [
        "tests/components",
        "guest/gate/src",
        "guest/policy/src",
        "wit",
        "Cargo.lock",
    ] {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(input).display()
        );
    }
    let packages = COMPONENTS.map(|(package, _)| package);
    let folder = guests::packages(workspace, &guests::folder(&out), &packages)?;
    for (package, name) in COMPONENTS {
        let module = folder.join(format!("{}.wasm", package.replace('-', "_")));
        fs::write(out.join(format!("{name}.wasm")), component(&module)?)?;
    }
    Ok(())
}

/// Makes a component of a core module that carries its own description.
fn component(module: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&bytes)?
        .encode()
}

pub(crate) fn variable(name: &str) -> Result<String> {
    env::var(name).with_context(|| format!("cargo sets {name} for a build script"))
}
