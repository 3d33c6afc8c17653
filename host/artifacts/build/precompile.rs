//! Compiles a component for the machine that the program is built for.

use anyhow::{Result, anyhow};
use wasmtime::Engine;

use crate::{settings, variable};

/// The code of a component, or nothing where this build cannot compile for that machine:
/// the runtime then compiles when it starts.
pub(crate) fn compile(component: &[u8]) -> Result<Vec<u8>> {
    let mut config = settings::config();
    // Naming the target keeps the features of the building machine's own processor out.
    if config.target(&variable("TARGET")?).is_err() {
        return Ok(Vec::new());
    }
    Engine::new(&config)
        .and_then(|engine| engine.precompile_component(component))
        .map_err(|error| anyhow!("{error:#}"))
}
