//! Runs the components of dsh:fs on wasmtime: sessions, limits, grants, audit.
//!
//! A [`Runtime`] holds the compiled component; a [`Session`] is one agent, with a store of
//! its own. What a session may touch is written down in that store by the host (its
//! ceiling), and only a person widens it: the component decides, and can only narrow.
//!
//! This is the only crate that knows wasmtime.

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
pub use session::Session;
pub use settings::STACK_BYTES;
pub use verbs::{
    ChangeAnswer, EditArgs, Escalation, ListAnswer, ListArgs, ReadAnswer, ReadArgs, UndoArgs,
    WriteArgs,
};
