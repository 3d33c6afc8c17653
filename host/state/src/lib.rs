//! Keeps sessions, observations, grants and workspaces in one SQLite database.
//!
//! A [`Store`] is one file, open. Several processes and threads may use it at once: every
//! change is one transaction, written ahead and synced, so that a process that is killed
//! loses the call in flight at most and nothing that was acknowledged.
//!
//! Nothing is decided here. What a session has seen is opaque text of the component, and a
//! remembered grant is a row that the host asks for and issues one-shot permissions from.
//!
//! This is the only crate that knows SQLite.

mod appended;
mod clock;
mod error;
mod file;
mod grant;
mod lock;
mod memory;
mod mode;
mod schema;
mod session;
mod store;
mod wording;
mod workspace;

pub use appended::Since;
pub use error::{Misplaced, StateError};
pub use grant::{GrantRecord, NewGrant, Scope};
pub use lock::SessionLock;
pub use memory::Memory;
pub use mode::{ModeEvent, ModeSource};
pub use session::{NewSession, SessionRecord};
pub use store::Store;
pub use workspace::{Status, Workspace, Workspaces};
