//! A gate that demands nothing of what was not seen.
//!
//! Sandbox and vocabulary are those of guest/gate; of observation only the two decisions
//! differ. A handle that was opened guarded refuses what this gate lets through: that is
//! what it is for in the tests.

extern crate alloc;

mod bindings;
mod ledger;
mod observation;
#[path = "../../../../guest/gate/src/sandbox.rs"]
mod sandbox;
#[path = "../../../../guest/gate/src/vocabulary.rs"]
#[allow(dead_code, reason = "a gate that refuses nothing words no error")]
mod vocabulary;

/// The component, to which the exported interfaces are attached.
struct Gate;
