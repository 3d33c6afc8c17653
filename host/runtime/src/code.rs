//! From the bytes of a component to code that can run.

use std::path::Path;

use dsh_fs::name::shown;
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::code_cache::CodeCache;
use crate::failure::LoadError;
use crate::settings;

/// When the code of a component was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// When this program was built.
    AheadOfTime,
    /// In an earlier run, and kept since.
    Earlier,
    /// At the start of this run.
    Now,
}

/// An engine with the settings of this project.
pub(crate) fn engine() -> Result<Engine, LoadError> {
    Engine::new(&settings::config()).map_err(|error| LoadError::Engine(format!("{error:#}")))
}

/// Loads a component that ships: from the code that was made with this program, or, where
/// that was made by another version or for another machine, by compiling it now.
pub(crate) fn load_shipped(
    engine: &Engine,
    component: &[u8],
    code: &'static [u8],
) -> Result<(Component, Made), LoadError> {
    match deserialize(engine, code) {
        Some(ready) => Ok((ready, Made::AheadOfTime)),
        None => compile(engine, component).map(|ready| (ready, Made::Now)),
    }
}

/// Loads any other component: from the cache, or by compiling it now.
pub(crate) fn load(
    engine: &Engine,
    component: &[u8],
    cache: Option<&Path>,
) -> Result<(Component, Made), LoadError> {
    let Some(cache) = cache.and_then(|folder| CodeCache::open(folder, engine)) else {
        return compile(engine, component).map(|ready| (ready, Made::Now));
    };
    if let Some(ready) = cache
        .find(component)
        .and_then(|code| deserialize(engine, &code))
    {
        return Ok((ready, Made::Earlier));
    }
    let ready = compile(engine, component)?;
    if let Ok(code) = ready.serialize() {
        cache.keep(component, &code);
    }
    Ok((ready, Made::Now))
}

fn compile(engine: &Engine, component: &[u8]) -> Result<Component, LoadError> {
    Component::from_binary(engine, component)
        .map_err(|error| LoadError::Compile(shown(&format!("{error:#}"))))
}

/// Code that was made by wasmtime earlier; `None` where it does not fit this engine.
#[allow(
    unsafe_code,
    reason = "wasmtime cannot prove that bytes are code which it made itself"
)]
fn deserialize(engine: &Engine, code: &[u8]) -> Option<Component> {
    // SAFETY: the bytes come from `include_bytes!` of what the build script's wasmtime
    // wrote, or from the cache, which gives only what a private folder of this user holds
    // whole. wasmtime checks its own version, the settings and the machine by itself.
    unsafe { Component::deserialize(engine, code) }.ok()
}
