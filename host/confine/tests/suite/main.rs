//! Confinement, by what commands can really do.
#![allow(
    clippy::disallowed_methods,
    reason = "tests build trees and look at the disk by path"
)]

mod place;
mod running;
