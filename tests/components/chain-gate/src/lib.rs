//! A link of a chain of gates: it decides about frozen files, and asks the next gate about
//! all others. A file is frozen when its name ends in `.frozen`. The link
//! breaks when it is asked about a write to a name that ends in `.trap`.

mod bindings;
mod observation;
mod sandbox;

/// The component, to which the exported interfaces are attached.
struct Link;
