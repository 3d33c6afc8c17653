//! Sessions with the component that ships, and with components that are out to do harm.

mod forger;
mod hostile;
mod limits;
mod loading;
mod questions;
mod tools;
mod undo;
mod workspace;
