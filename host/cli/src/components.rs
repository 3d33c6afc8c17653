//! The components that the command line names.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use dsh_fs_artifacts::{ComponentError, GATE, OBSERVATION, chain, inspect};
use dsh_fs_runtime::{ComponentSource, LoadError, Runtime, RuntimeOptions};

use crate::args::Components;
use crate::exit::{Failure, Reason};
use crate::state;

/// The components in use, ready for a runtime, and what they are called in an error.
pub(crate) struct InUse {
    pub(crate) options: RuntimeOptions,
    name: String,
}

impl InUse {
    /// Reads and composes what the command line names.
    pub(crate) fn named_by(components: &Components) -> Result<Self, Failure> {
        let mut options = RuntimeOptions::default();
        let mut name = "the shipped component".to_owned();
        if let Some(gate) = gate(components)? {
            options.component = ComponentSource::Gate(gate);
            name = named("gate", &components.gate);
        }
        if let Some(file) = &components.component {
            options.component = ComponentSource::Whole(component_file(file)?);
            name = named("component", std::slice::from_ref(file));
        }
        if options.component != ComponentSource::Shipped {
            options.code_cache = state::code_cache();
        }
        Ok(Self { options, name })
    }

    /// What is said of components that cannot be loaded.
    pub(crate) fn broken(&self, error: &LoadError) -> Failure {
        Failure::new(Reason::Component, anyhow!("{}: {error:#}", self.name))
    }
}

/// The runtime with the components that the command line names.
pub(crate) fn runtime(components: &Components) -> Result<Runtime, Failure> {
    let in_use = InUse::named_by(components)?;
    Runtime::new(in_use.options.clone()).map_err(|error| in_use.broken(&error))
}

/// The gate that the command line names: a chain, where it names several, or where the
/// last of them asks a next one.
pub(crate) fn gate(components: &Components) -> Result<Option<Vec<u8>>, Failure> {
    let mut next: Option<Vec<u8>> = None;
    for file in components.gate.iter().rev() {
        let gate = component_file(file)?;
        let broken = |error: ComponentError| {
            let name = named("gate", std::slice::from_ref(file));
            Failure::new(Reason::Component, anyhow!("{name}: {error}"))
        };
        let asks = asks_next(&gate).map_err(broken)?;
        next = Some(match next {
            Some(next) => chain(&gate, &next).map_err(broken)?,
            None if asks => chain(&gate, GATE).map_err(broken)?,
            None => gate,
        });
    }
    Ok(next)
}

/// Whether a gate is a link of a chain.
fn asks_next(gate: &[u8]) -> Result<bool, ComponentError> {
    let imports = inspect(gate)?.imports;
    Ok(imports.iter().any(|import| import.name == OBSERVATION))
}

fn named(kind: &str, files: &[PathBuf]) -> String {
    let files: Vec<_> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    format!("{kind} {}", files.join(", "))
}

/// The bytes of a component that somebody named.
pub(crate) fn component_file(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file)
        .with_context(|| format!("component {}", file.display()))
        .map_err(|error| Failure::new(Reason::Component, error))
}
