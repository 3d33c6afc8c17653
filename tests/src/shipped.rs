//! The components that ship, under the names of their files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use dsh_fs_artifacts::{
    COMMAND, COMPOSED, CommandParts, DISK, GATE, NOBODY, TEXTS, TOOLBOX, compose, compose_command,
};

/// The bytes of each.
pub struct Shipped {
    /// The decisions.
    pub gate: Vec<u8>,
    /// The tools, without a gate.
    pub toolbox: Vec<u8>,
    /// The rules for text.
    pub texts: Vec<u8>,
    /// The tools over the gate.
    pub composed: Vec<u8>,
    /// The provider over WASI.
    pub disk: Vec<u8>,
    /// The approver that asks nobody.
    pub nobody: Vec<u8>,
    /// Everything in one program.
    pub command: Vec<u8>,
}

impl Default for Shipped {
    fn default() -> Self {
        Self {
            gate: GATE.to_vec(),
            toolbox: TOOLBOX.to_vec(),
            texts: TEXTS.to_vec(),
            composed: COMPOSED.to_vec(),
            disk: DISK.to_vec(),
            nobody: NOBODY.to_vec(),
            command: COMMAND.to_vec(),
        }
    }
}

impl Shipped {
    /// The same, of the guests as another tool made components of them, and composed here.
    ///
    /// # Errors
    /// One of the six is not in the folder, or is not the component that it should be.
    pub fn of_guests(folder: &Path) -> Result<Self> {
        let guest = |name: &str| {
            let file = folder.join(format!("dsh_fs_{name}.wasm"));
            fs::read(&file).with_context(|| file.display().to_string())
        };
        let (gate, toolbox) = (guest("gate")?, guest("tools")?);
        let (disk, nobody) = (guest("disk")?, guest("nobody")?);
        Ok(Self {
            texts: guest("texts")?,
            composed: compose(&toolbox, &gate)?,
            command: compose_command(&CommandParts {
                gate: &gate,
                toolbox: &toolbox,
                provider: &disk,
                approver: &nobody,
                verbs: &guest("command")?,
            })?,
            gate,
            toolbox,
            disk,
            nobody,
        })
    }

    /// Each with the name of its file.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &[u8]); 7] {
        [
            ("gate", &self.gate),
            ("toolbox", &self.toolbox),
            ("texts", &self.texts),
            ("dsh-fs", &self.composed),
            ("disk", &self.disk),
            ("nobody", &self.nobody),
            ("dsh-fs-command", &self.command),
        ]
    }
}

/// Writes a component into a folder. One that is as it was keeps its time, by which builds
/// tell a change.
///
/// # Errors
/// The folder cannot be written.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder)?;
    let file = folder.join(format!("{name}.wasm"));
    if fs::read(&file).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(&file, bytes).with_context(|| file.display().to_string())
}
