//! Lasting sessions under one deployment: policy, grants, shell, and several files at once.
//!
//! A [`Harness`] is a deployment that is open: files under rules, the component, and the
//! database where there is one. An [`Agent`] is one session of it, as a model's tools see
//! it. Programs that talk to agents (the command line, the MCP server) stand on these two.

mod agent;
pub mod deployment;
mod open;

pub use agent::{Agent, CallContext};
pub use open::{AgentOptions, Harness, HarnessError, HarnessOptions};
