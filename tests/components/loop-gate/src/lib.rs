//! A link of a chain that asks the next gate many times in one call, so that what a
//! component pays for a question to its gate can be told from what an embedder pays.

mod bindings;
mod observation;
mod rounds;
/// The same as in the other link: every question goes to the next gate.
#[path = "../../chain-gate/src/sandbox.rs"]
mod sandbox;

/// The component, to which the exported interfaces are attached.
struct Link;
