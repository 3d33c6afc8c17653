//! Several files, all or nothing: whatever fails, whoever dies, and whoever else writes.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod ground;
#[path = "../support/mod.rs"]
mod support;
#[path = "../publish/watch.rs"]
#[allow(dead_code, reason = "this binary uses a part of it")]
mod watch;

mod crash;
mod faults;
mod folder;
mod limits;
mod outside;
mod processes;
mod rules;

/// Plays the part of a second process, where one was handed over.
#[test]
fn second_process() {
    processes::play();
}
