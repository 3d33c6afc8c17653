//! A link of a chain of gates: it decides about frozen files, and asks the next gate about
//! all others. A file is frozen when its name ends in `.frozen`.

mod bindings;
mod observation;
mod sandbox;

/// The component, to which the exported interfaces are attached.
struct Link;
