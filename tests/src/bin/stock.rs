//! An adapter of the conformance kit: the components in the stock program wasmtime.
//!
//! `stock WASMTIME FOLDER` calls the plain functions of `gate.wasm` and `texts.wasm` in the
//! folder by `wasmtime run --invoke`; `stock WASMTIME FOLDER command` calls the tools of
//! `dsh-fs-command.wasm`. They are compiled in the folder first.

#![allow(
    clippy::disallowed_methods,
    reason = "a program for tests reads its arguments"
)]

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dsh_fs_tests::stock;
use dsh_fs_tests::stock::command::Sessions;
use serde_json::Value;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let mut argument = || {
        arguments
            .next()
            .context("usage: stock WASMTIME FOLDER [command]")
    };
    let (wasmtime, folder) = (argument()?, argument()?);
    match arguments.next().as_deref() {
        None => functions(&wasmtime, &folder),
        Some(_) => tools(wasmtime, &folder),
    }
}

fn functions(wasmtime: &Path, folder: &Path) -> Result<()> {
    for name in ["gate", "texts"] {
        stock::compile(wasmtime, folder, name)?;
    }
    serve(|call| stock::answer(wasmtime, folder, call))
}

fn tools(wasmtime: PathBuf, folder: &Path) -> Result<()> {
    let command = stock::compile(&wasmtime, folder, "dsh-fs-command")?;
    let mut sessions = Sessions::new(wasmtime, command);
    serve(|call| sessions.answer(call))
}

/// Answers every line of the input by one of the output.
fn serve(mut answer: impl FnMut(&Value) -> Value) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let call = serde_json::from_str(&line?)?;
        let mut output = std::io::stdout().lock();
        writeln!(output, "{}", answer(&call))?;
        output.flush()?;
    }
    Ok(())
}
