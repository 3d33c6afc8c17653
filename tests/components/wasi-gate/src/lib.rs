//! A gate that imports WASI, as those of other toolchains do, and tells what it finds.
//!
//! It demands nothing, as the open gate; `with-remedy` looks at the part of WASI that the
//! message has in braces.

extern crate alloc;

mod bindings;
#[path = "../../open-gate/src/ledger.rs"]
mod ledger;
mod observation;
mod probe;
#[path = "../../../../guest/gate/src/sandbox.rs"]
mod sandbox;
#[path = "../../../../guest/gate/src/vocabulary.rs"]
#[allow(dead_code, reason = "a gate that refuses nothing words no error")]
mod vocabulary;

/// The component, to which the exported interfaces are attached.
struct Gate;
