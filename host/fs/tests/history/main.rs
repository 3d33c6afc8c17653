//! Old texts: the store, and what a stale error says with it.

mod explaining;
mod store;
#[path = "../support/mod.rs"]
mod support;
