//! Guarded file access: the provider seam, the local backend, and the sandbox around it.

pub mod cancel;
mod diff;
pub mod error;
pub mod history;
pub mod local;
pub mod probe;
pub mod provider;
pub mod roots;
pub mod sandbox;
pub mod transaction;
pub mod types;
pub mod version;
pub mod within;
mod wording;

pub use dsh_fs_text::name;
