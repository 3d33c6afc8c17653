//! The policy of a deployment: what its file says, and that nothing widens it.

#![allow(
    clippy::disallowed_methods,
    reason = "a test builds files on the real disk"
)]

mod errors;
mod escalation;
mod examples;
mod schema;
mod widening;

use dsh_fs_harness::deployment::{ConfigError, Deployment};

/// The deployment of a text.
fn parse(text: &str) -> Deployment {
    Deployment::parse(text, "p.toml").expect("the text is right")
}

/// What is wrong with a text.
fn wrong(text: &str) -> ConfigError {
    Deployment::parse(text, "p.toml").expect_err("the text is wrong")
}
