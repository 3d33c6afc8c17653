//! The plain functions of the components under a stock `wasmtime`: an adapter of the
//! conformance kit, which starts `wasmtime run --invoke` for every call.
//!
//! That reaches functions over values and no handles: there are no ledgers and no tools.

pub mod command;
mod signature;
pub mod wave;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use signature::Signature;

/// The longest call: Linux takes 128 KiB for one argument.
const LONGEST: usize = 120 << 10;

/// Compiles a component of the folder into a file beside it: to compile at each start would
/// take longer than what is run.
///
/// # Errors
/// The program cannot be started, or refuses the component.
pub fn compile(wasmtime: &Path, folder: &Path, name: &str) -> Result<PathBuf> {
    let code = folder.join(format!("{name}.cwasm"));
    let mut program = Command::new(wasmtime);
    program
        .arg("compile")
        .arg(folder.join(format!("{name}.wasm")));
    let status = program.arg("-o").arg(&code).status()?;
    ensure!(status.success(), "wasmtime cannot compile {name}");
    Ok(code)
}

/// Answers one call of the protocol.
#[must_use]
pub fn answer(wasmtime: &Path, folder: &Path, call: &Value) -> Value {
    let name = call["call"].as_str().unwrap_or_default();
    if name == "hello" {
        let speaks = ["observation", "sandbox", "text"];
        return json!({"ok": {"name": "wasmtime run --invoke", "speaks": speaks, "lacks": ["ledgers"]}});
    }
    match invoke(wasmtime, folder, name, &call["args"]) {
        Ok(answer) => answer,
        Err(error) => json!({"error": format!("{error:#}")}),
    }
}

fn invoke(wasmtime: &Path, folder: &Path, name: &str, args: &Value) -> Result<Value> {
    let signature = Signature::of(name).with_context(|| format!("there is no {name}"))?;
    let call = signature.call(args)?;
    if call.len() > LONGEST {
        bail!("the call has {} bytes", call.len());
    }
    let output = Command::new(wasmtime)
        .args(["run", "--allow-precompiled", "--invoke", &call])
        .arg(folder.join(signature.component))
        .output()
        .context("wasmtime")?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(anyhow!("{call}: {why}"));
    }
    let told = String::from_utf8(output.stdout).context("its output")?;
    let value = wave::read(told.trim_end()).with_context(|| told.clone())?;
    Ok(match signature.refuses {
        true => match (value.get("ok"), value.get("err")) {
            (Some(value), _) => json!({"ok": value}),
            (None, Some(why)) => json!({"refused": why}),
            (None, None) => bail!("no result: {told}"),
        },
        false => json!({"ok": value}),
    })
}
