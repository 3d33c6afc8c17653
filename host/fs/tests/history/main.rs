//! Old texts: the store, and what a stale error says with it.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod explaining;
mod store;
#[path = "../support/mod.rs"]
mod support;
