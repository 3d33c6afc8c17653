//! Sessions with the component that ships, and with components that are out to do harm.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod anchored;
mod forger;
mod hostile;
mod limits;
mod loading;
mod multi;
mod questions;
mod tools;
mod undo;
mod workspace;
