//! An adapter of the conformance kit: the plain functions of the components, each call by
//! `wasmtime run --invoke`. `stock WASMTIME FOLDER`; the folder has `gate.wasm` and
//! `texts.wasm`, which are compiled there first.

#![allow(
    clippy::disallowed_methods,
    reason = "a program for tests reads its arguments"
)]

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dsh_fs_tests::stock;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let mut argument = || arguments.next().context("usage: stock WASMTIME FOLDER");
    let (wasmtime, folder) = (argument()?, argument()?);
    for name in ["gate", "texts"] {
        compile(&wasmtime, &folder, name)?;
    }
    for line in std::io::stdin().lock().lines() {
        let call = serde_json::from_str(&line?)?;
        let answer = stock::answer(&wasmtime, &folder, &call);
        let mut output = std::io::stdout().lock();
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

/// Compiles once: to compile at each call would take longer than the call.
fn compile(wasmtime: &Path, folder: &Path, name: &str) -> Result<()> {
    let status = Command::new(wasmtime)
        .arg("compile")
        .arg(folder.join(format!("{name}.wasm")))
        .arg("-o")
        .arg(folder.join(format!("{name}.cwasm")))
        .status()?;
    ensure!(status.success(), "wasmtime cannot compile {name}");
    Ok(())
}
