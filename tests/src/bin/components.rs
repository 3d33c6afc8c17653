//! Writes the components into a folder, for other runtimes: `components DIR`.
//!
//! Beside those that ship it writes toolboxes over the gates for tests.

#![allow(
    clippy::disallowed_methods,
    reason = "the program writes into the folder that its user names"
)]

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use dsh_fs_artifacts::{COMMAND, COMPOSED, DISK, GATE, NOBODY, TEXTS, TOOLBOX, compose};
use dsh_fs_tests::components::gate;

fn main() -> Result<()> {
    let folder = std::env::args_os()
        .nth(1)
        .context("usage: components DIR")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    let over = |name: &str| -> Result<Vec<u8>> { Ok(compose(TOOLBOX, &gate(name)?)?) };
    for (name, bytes) in [
        ("gate", GATE.to_vec()),
        ("toolbox", TOOLBOX.to_vec()),
        ("texts", TEXTS.to_vec()),
        ("dsh-fs", COMPOSED.to_vec()),
        ("disk", DISK.to_vec()),
        ("nobody", NOBODY.to_vec()),
        ("dsh-fs-command", COMMAND.to_vec()),
        ("open-gate", over("open-gate")?),
        ("chain-gate", over("chain-gate")?),
    ] {
        let file = folder.join(format!("{name}.wasm"));
        // One that is as it was keeps its time, by which builds tell a change.
        if fs::read(&file).ok().as_ref() != Some(&bytes) {
            fs::write(&file, bytes).with_context(|| file.display().to_string())?;
        }
    }
    Ok(())
}
