//! What wasmtime generates from the WIT package: one world as the host of a session sees
//! it, and the gate alone. Both share one set of types.

#![allow(
    missing_docs,
    unreachable_pub,
    reason = "generated from wit/, where every item has its comment"
)]

/// Toolbox and gate in one component.
pub(crate) mod composed {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "composed",
        imports: { default: trappable },
        with: {
            "dsh:fs/filesystem.files": crate::imports::filesystem::OpenFiles,
            "dsh:fs/filesystem.text-stream": crate::imports::stream::OpenStream,
        },
    });
}

/// The gate alone.
pub(crate) mod gate {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "gate",
        with: {
            "dsh:fs/types": crate::bindings::composed::dsh::fs::types,
        },
    });
}

pub(crate) use composed::dsh::fs::{approval, filesystem, types};
pub(crate) use composed::exports::dsh::fs::tools;
