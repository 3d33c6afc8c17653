//! Lasting sessions under one deployment: policy, grants, shell, and several files at once.
//!
//! A [`Harness`] is a deployment that is open: files under rules, the component, and the
//! database where there is one. An [`Agent`] is one session of it, as a model's tools see
//! it. Programs that talk to agents (the command line, the MCP server) stand on these two.

mod agent;
mod answers;
mod bash;
pub mod deployment;
mod durable;
mod error;
mod gate_room;
mod lane;
mod lanes;
mod main_lane;
mod narrow;
mod open;
mod options;
mod recover;
mod remember;
mod rules;
mod shell;
mod tools;
mod touched;
mod verdict;
mod wording;

pub use agent::{Agent, CallContext};
pub use error::HarnessError;
pub use open::Harness;
pub use options::{AgentOptions, HarnessOptions};
pub use recover::recover;
pub use shell::ShellAccess;
pub use tools::TOOLS;
pub use verdict::verdict_name;
