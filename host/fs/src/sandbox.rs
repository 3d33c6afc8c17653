//! `SandboxedFileSystem`: the mode of a policy and its writable roots, kept over any provider.

use crate::error::Error;

/// Whether a handle accepts mutations without a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarding {
    /// An unconditional mutation is refused (`FS_NOT_OBSERVED`).
    Required,
    /// It is let through: the embedder asked for a bare provider by name.
    Bare,
}

/// Placeholder of the contract; see the brief.
pub type Opened = Result<(), Error>;
