//! The mutation half of the local backend, against real files.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod tree;
mod watch;

mod crash;
mod create;
mod edit;
mod exchanged;
mod faults;
mod fence;
mod fidelity;
mod in_place;
mod metadata;
mod moments;
mod mounted;
mod races;
mod remove;
mod remove_crash;
mod replace;
mod slow_opener;
mod versions;
