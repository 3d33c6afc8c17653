//! The settings of wasmtime that decide what code it makes.
//!
//! `host/artifacts` includes this file in its build script: code that was compiled ahead
//! of time loads only into an engine with the same settings.

use wasmtime::Config;

/// The most stack that WebAssembly may use in one call, in bytes. A thread that calls a
/// session needs this much and some more for the host: 1 MiB is enough.
pub const STACK_BYTES: usize = 512 * 1024;

/// The settings, the same for every engine of this project.
pub(crate) fn config() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    // A call is stopped by time, not by fuel: it costs less, and a limit in seconds is
    // one that a person can judge.
    config.epoch_interruption(true);
    config.max_wasm_stack(STACK_BYTES);
    // The modules have little data: copying it is faster than mapping it twice a session.
    config.memory_init_cow(false);
    // Backtraces would name functions of stripped modules; nobody reads them.
    config.wasm_backtrace_max_frames(None);
    config
}
