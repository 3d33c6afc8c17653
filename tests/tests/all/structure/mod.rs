//! How the rooms hang together, and what no file and no component may have.

mod codes;
mod components;
mod links;
mod sources;
mod wit;
