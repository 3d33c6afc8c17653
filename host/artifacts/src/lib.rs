//! The components of dsh:fs: built, composed, compiled ahead of time.
//!
//! The build script makes them from `guest/` and `wit/`; nothing that is built is
//! committed. [`compose`] puts another gate in the place of the one that ships.

mod compose;
mod error;
mod inspect;

pub use compose::{
    APPROVAL, CommandParts, FILESYSTEM, OBSERVATION, RUN, SANDBOX, TOOLS, chain, compose,
    compose_command,
};
pub use error::ComponentError;
pub use inspect::{Import, Inspection, check_gate_imports, compatible, digest, inspect};

/// The gate, as a component: decides, and imports nothing that runs.
pub const GATE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/gate.wasm"));

/// The toolbox, as a component that still imports its gate.
pub const TOOLBOX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/toolbox.wasm"));

/// The rules for text, as a component that imports nothing that runs.
pub const TEXTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/texts.wasm"));

/// A provider of files over WASI, as a component that imports WASI and approval.
pub const DISK: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/disk.wasm"));

/// An approver that asks nobody, as a component that imports nothing that runs.
pub const NOBODY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/nobody.wasm"));

/// The program of [`COMMAND`], as a component that still imports its tools.
pub const VERBS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/verbs.wasm"));

/// Everything in one component, which imports WASI alone: any WASI runtime runs it as a
/// command.
pub const COMMAND: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/command.wasm"));

/// Toolbox and gate in one component, which imports files and approval alone.
pub const COMPOSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/composed.wasm"));

/// The code of [`GATE`] for this machine, made ahead of time by wasmtime with the
/// settings of the runtime; empty where the build could not compile for this machine.
pub const GATE_AOT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/gate.cwasm"));

/// The code of [`COMPOSED`], as [`GATE_AOT`].
pub const COMPOSED_AOT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/composed.cwasm"));
