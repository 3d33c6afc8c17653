//! Why a server ended before its client did.

use dsh_fs_harness::HarnessError;

/// Why a server could not be started, or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The session could not be opened.
    #[error(transparent)]
    Session(#[from] HarnessError),
    /// The client did not begin as the protocol says.
    #[error("the client did not begin as the protocol says: {0}")]
    Handshake(String),
    /// The system gave no thread, no signal handler, or no stream.
    #[error("the server cannot run: {0}")]
    System(#[from] std::io::Error),
    /// The loop that serves broke.
    #[error("the server broke: {0}")]
    Broken(String),
}
