//! Runs the components of dsh:fs on wasmtime: sessions, limits, grants, audit.
//!
//! A [`Runtime`] holds the compiled component; a [`Session`] is one agent, with a store of
//! its own. What a session may touch is written down in that store by the host (its
//! ceiling), and only a person widens it: the component decides, and can only narrow.
//!
//! This is the only crate that knows wasmtime.
//!
//! # Asking a person
//!
//! An [`Approver`] gets a [`Question`]: tool, canonical path, mode, and the change itself, as
//! a bounded diff that the host makes from the arguments of the running call.
//! [`wording::question`] has the sentences. A yes is one grant, for one mutation: of this
//! file, by this tool, under this mode, with exactly the texts that were shown, over the
//! content that was there when the person was asked. A component that does anything else
//! with it gets `FS_SANDBOX_DENIED` (another change) or `FS_STALE_VERSION` (another content).
//! A file that is larger than 256 KiB or no text is not compared: what it holds is then left
//! to the guard of the component. The same is so for an edit, whose texts say what goes.
//!
//! [`Decision::AllowedForSession`] and [`Decision::AllowedForWorkspace`] are the approver's to
//! remember, by [`Question::key`], tool, mode, and session or workspace root. Asked the same
//! again it answers [`Decision::Remembered`].
//!
//! # Reads side by side
//!
//! Calls of one session run one after another. [`Session::reader`] makes a second store of
//! the same session, in which reads run meanwhile; [`Session::absorb`] takes over what they
//! saw.
//!
//! # Audit
//!
//! Every decision, denial, grant and publication is an [`Event`], handed to the
//! [`AuditSink`] of the session's options as a [`Record`] with time, process and number;
//! reads are events too where [`SessionOptions::audit_reads`] says so.
//! [`Session::record_event`] is for what an embedder does beside: confined commands, grants
//! that it keeps, changes of several files. No event holds content of a file, a
//! justification, or anything of the environment. Paths, versions and names of sessions are
//! in it.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use dsh_fs_runtime::{AuditSink, JsonLines};
//!
//! # fn main() -> std::io::Result<()> {
//! let report = |error: &std::io::Error| eprintln!("the audit cannot be written: {error}");
//! let audit: Arc<dyn AuditSink> = Arc::new(JsonLines::open(Path::new("audit.jsonl"), report)?);
//! # Ok(())
//! # }
//! ```
//!
//! # A session
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
mod change;
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
mod request;
mod runtime;
mod session;
mod settings;
mod state;
mod trap;
mod verbs;
mod wasi;
pub mod wording;

pub use anchor::Anchor;
pub use answer::Answer;
pub use approver::{Approver, Change, ChangeKind, Decision, Question, Scope};
pub use audit::{AuditSink, Both, Event, JsonLines, Record, Silent, TracingSink};
pub use code::Made;
pub use failure::{CallCode, CallError, FailureCode, LoadError};
pub use limits::Limits;
pub use options::{ModeSource, ReadLimits, SessionOptions};
pub use runtime::{ComponentSource, Runtime, RuntimeOptions};
pub use session::{MOST_EDITS, Session};
pub use settings::STACK_BYTES;
pub use verbs::{
    ChangeAnswer, EditArgs, Escalation, ListAnswer, ListArgs, MultiEdit, MultiEditAnswer,
    MultiEditArgs, MultiUndoAnswer, ReadAnswer, ReadArgs, RemovalAnswer, UndoAnswer, UndoArgs,
    WriteArgs,
};
