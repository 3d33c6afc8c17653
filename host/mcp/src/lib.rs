//! The file tools as an MCP server.
//!
//! [`serve_stdio`] speaks the Model Context Protocol on standard input and output, over one
//! session of a [`dsh_fs_harness::Harness`]; [`serve`] does so over any pair of streams.
//! This is the only crate that knows the protocol.
//!
//! Calls run beside one another: reads and lists at once, mutations one after the other in
//! the order in which they came. A call that the client cancels is withdrawn between system
//! calls (`FS_ABORTED`, which nobody is told, as the protocol wants it). Wider permissions
//! are asked for by elicitation; a client without it is never asked, and then every
//! escalation is refused. The roots that a client names narrow what mutations may touch,
//! and never widen it.
//!
//! The protocol versions from 2024-11-05 to 2025-11-25 are spoken. 2026-07-28 is not: it
//! has no requests from server to client, which questions and roots are.

mod answer;
mod approval;
mod call;
mod client_roots;
mod error;
mod lines;
mod options;
mod order;
mod progress;
mod serve;
mod server;
mod skipped;
mod stdio;
mod tools;
mod wording;

pub use error::ServeError;
pub use lines::LONGEST_MESSAGE;
pub use options::{Approval, McpOptions};
pub use serve::serve;
pub use stdio::serve_stdio;
