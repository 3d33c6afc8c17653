//! Runs the components of dsh:fs on wasmtime: sessions, limits, grants, audit.
//!
//! A [`Runtime`] holds the compiled component; a [`Session`] is one agent, with a store of
//! its own. What a session may touch is written down in that store by the host (its
//! ceiling), and only a person widens it: the component decides, and can only narrow.
//!
//! This is the only crate that knows wasmtime.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use dsh_fs::local::{LocalFileSystem, PublishOptions};
//! use dsh_fs::roots::RootRules;
//! use dsh_fs::sandbox::SandboxedFileSystem;
//! use dsh_fs::types::Mode;
//! use dsh_fs::version::VersionSecret;
//! use dsh_fs_runtime::{Runtime, RuntimeOptions, SessionOptions};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = RootRules::new(Some(Path::new("/tmp")));
//! let local = LocalFileSystem::new(VersionSecret::random()?, PublishOptions::default());
//! let files = Arc::new(SandboxedFileSystem::new(Arc::new(local), rules));
//!
//! let runtime = Runtime::new(RuntimeOptions::default())?;
//! let mut options = SessionOptions::new(files, "/home/me/project");
//! options.id = Some("agent-1".into());
//! options.mode = Mode::WorkspaceWrite;
//! let mut session = runtime.session(options)?;
//!
//! let answer = session.call("read", &json!({ "file_path": "src/main.rs" }));
//! println!("{}", answer.text);
//! # Ok(())
//! # }
//! ```

mod anchor;
mod answer;
mod approver;
mod audit;
mod bindings;
mod call;
mod ceiling;
mod clock;
mod code;
mod code_cache;
mod convert;
mod failure;
pub mod gate;

mod grants;
mod imports;
mod journal;
mod limits;
mod multi;
mod options;
mod runtime;
mod session;
mod settings;
mod state;
mod trap;
mod verbs;
pub mod wording;

pub use anchor::Anchor;
pub use answer::Answer;
pub use approver::{Approver, Decision, Question};
pub use audit::{AuditSink, Event, Record, Silent, TracingSink};
pub use code::Made;
pub use failure::{CallCode, CallError, FailureCode, LoadError};
pub use limits::Limits;
pub use options::{ModeSource, ReadLimits, SessionOptions};
pub use runtime::{ComponentSource, Runtime, RuntimeOptions};
pub use session::{MOST_EDITS, Session};
pub use settings::STACK_BYTES;
pub use verbs::{
    ChangeAnswer, EditArgs, Escalation, ListAnswer, ListArgs, MultiEdit, MultiEditAnswer,
    MultiEditArgs, ReadAnswer, ReadArgs, UndoArgs, WriteArgs,
};
