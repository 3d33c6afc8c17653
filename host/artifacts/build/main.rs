//! Builds the guests, makes components of them, composes them, compiles them.
//!
//! Nothing that is built here is committed. The composing code is the library's own, and
//! the settings of the compiler are those of `host/runtime`, so that neither can drift.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script reads sources and writes what it makes of them"
)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

#[path = "../src/compose.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library offers more than this script needs"
)]
mod compose;
#[path = "../src/error.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library offers more than this script needs"
)]
mod error;
mod guests;
#[path = "../src/inspect.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library offers more than this script needs"
)]
mod inspect;
mod precompile;
#[path = "../../runtime/src/settings.rs"]
#[allow(
    unreachable_pub,
    reason = "the runtime, whose file this is, offers it to its own modules"
)]
mod settings;
mod strip;

fn main() -> Result<()> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let workspace = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../..");
    let workspace = workspace
        .canonicalize()
        .context("the workspace is two folders above host/artifacts")?;
    announce_inputs(&workspace);

    let built = guests::build(&workspace, &guests::folder(&out))?;
    let gate = component(&built.gate).context("guest/gate is no component")?;
    let toolbox = component(&built.toolbox).context("guest/tools is no component")?;
    let texts = component(&built.texts).context("guest/texts is no component")?;
    let disk = component(&built.disk).context("guest/disk is no component")?;
    let nobody = component(&built.nobody).context("guest/nobody is no component")?;
    let verbs = component(&built.command).context("guest/command is no component")?;
    inspect::check_gate_imports(&gate)?;
    let composed = strip::strip(&compose::compose(&toolbox, &gate)?)?;

    let command = strip::strip(&compose::compose_command(&compose::CommandParts {
        gate: &gate,
        toolbox: &toolbox,
        provider: &disk,
        approver: &nobody,
        verbs: &verbs,
    })?)?;

    for (name, bytes) in [("gate", &gate), ("composed", &composed)] {
        write(&out, &format!("{name}.cwasm"), &precompile::compile(bytes)?)?;
    }
    write(&out, "gate.wasm", &gate)?;
    write(&out, "toolbox.wasm", &toolbox)?;
    write(&out, "texts.wasm", &texts)?;
    write(&out, "disk.wasm", &disk)?;
    write(&out, "nobody.wasm", &nobody)?;
    write(&out, "verbs.wasm", &verbs)?;
    write(&out, "command.wasm", &command)?;
    write(&out, "composed.wasm", &composed)
}

/// Makes a component of a core module that carries its own description.
fn component(module: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let encoded = wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&bytes)?
        .encode()?;
    strip::strip(&encoded)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Tells cargo what this script reads, so that it runs again only when that changes.
fn announce_inputs(workspace: &Path) {
    let inputs = [
        "guest",
        "wit",
        "Cargo.lock",
        "Cargo.toml",
        "rust-toolchain.toml",
        "host/artifacts/build",
        "host/artifacts/src",
        "host/runtime/src/settings.rs",
    ];
    for input in inputs {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(input).display()
        );
    }
}

pub(crate) fn variable(name: &str) -> Result<String> {
    env::var(name).with_context(|| format!("cargo sets {name} for a build script"))
}
