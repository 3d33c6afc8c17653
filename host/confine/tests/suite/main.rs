//! Confinement, by what commands can really do.
#![allow(
    clippy::disallowed_methods,
    reason = "tests build trees and look at the disk by path"
)]

mod denial;
mod environment;
mod ground;
mod hidden;
mod launcher;
mod ordinary;
mod orphan;
mod outsiders;
mod parity;
mod place;
mod protected;
mod rights;
mod runner;
mod running;
mod seatbelt;
