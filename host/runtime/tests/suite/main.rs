//! Sessions with the component that ships, and with components that are out to do harm.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod anchored;
mod audit;
mod audit_file;
mod broken;
mod damaged;
mod floods;
mod forged;
mod forger;
mod hostile;
mod limits;
mod loading;
mod multi;
mod narrowed;
mod previews;
mod questions;
mod readers;
mod resume;
mod swapped;
mod tools;
mod undo;
mod versions;
mod workspace;
