//! The components for tests, built by the build script.

use anyhow::{Result, bail};

/// A gate that demands nothing of what was not seen: with it a bare handle behaves as a
/// provider without a gate.
pub const OPEN_GATE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/open-gate.wasm"));

/// A gate for tests by its name in a vector; the link of a chain has the gate that ships
/// as its next.
pub fn gate(name: &str) -> Result<Vec<u8>> {
    match name {
        "open-gate" => Ok(OPEN_GATE.to_vec()),
        "chain-gate" => Ok(dsh_fs_artifacts::chain(CHAIN_GATE, dsh_fs_artifacts::GATE)?),
        other => bail!("the gate `{other}` is not known"),
    }
}

/// A link of a chain: refuses changes of files whose name ends in `.frozen`, and asks the
/// next gate about all others.
pub const CHAIN_GATE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/chain-gate.wasm"));

/// A link of a chain for benchmarks: `edit-intent` asks the next gate as often as the
/// display path of the target says.
pub const LOOP_GATE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/loop-gate.wasm"));

/// A gate that imports WASI, demands nothing, and tells by `with-remedy` what it finds at
/// the part of WASI that the message has in braces.
pub const WASI_GATE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/wasi-gate.wasm"));
