//! Names and places that are rare: read, write, edit and list answer for each of them.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

#[path = "../support/mod.rs"]
mod support;
#[allow(dead_code, reason = "only some of it is needed here")]
#[path = "../publish/watch.rs"]
mod watch;

mod lengths;
mod moved;
mod names;
mod nodes;
mod proc;
mod verbs;
