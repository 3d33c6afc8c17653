//! What a command must not read.

use std::path::PathBuf;

/// Files and directories that are hidden from a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Canonical paths that exist now and are hidden, with everything beneath them.
    pub paths: Vec<PathBuf>,
    /// The rules that could match files which are made, moved or linked later, as a person
    /// wrote them. No backend sees those: each one makes the enforcement partial.
    pub later: Vec<String>,
}

impl Hidden {
    /// Whether nothing is hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.later.is_empty()
    }
}
