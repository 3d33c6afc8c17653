//! The thirteen ways in which a file operation fails.

use std::fmt;

/// Which of the thirteen. The names are those of every surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Nothing is there, or the path cannot name a file.
    NotFound,
    /// A listing was asked of something else.
    NotDirectory,
    /// The content is not UTF-8, or holds NUL.
    NotText,
    /// A directory, FIFO, socket or device.
    NotRegularFile,
    /// More than the limit of the call.
    TooLarge,
    /// The operating system, or the file's metadata, forbid it.
    PermissionDenied,
    /// The policy forbids it.
    SandboxDenied,
    /// The operating system failed.
    IoError,
    /// The file is not the one that was seen.
    StaleVersion,
    /// The file was never seen.
    NotObserved,
    /// The old text occurs more than once.
    AmbiguousEdit,
    /// The old text does not occur.
    EditNotFound,
    /// The caller cancelled.
    Aborted,
}

impl Code {
    /// Every code, in the order of the WIT package.
    pub const ALL: [Self; 13] = [
        Self::NotFound,
        Self::NotDirectory,
        Self::NotText,
        Self::NotRegularFile,
        Self::TooLarge,
        Self::PermissionDenied,
        Self::SandboxDenied,
        Self::IoError,
        Self::StaleVersion,
        Self::NotObserved,
        Self::AmbiguousEdit,
        Self::EditNotFound,
        Self::Aborted,
    ];

    /// The protocol string, for example `FS_NOT_FOUND`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "FS_NOT_FOUND",
            Self::NotDirectory => "FS_NOT_DIRECTORY",
            Self::NotText => "FS_NOT_TEXT",
            Self::NotRegularFile => "FS_NOT_REGULAR_FILE",
            Self::TooLarge => "FS_TOO_LARGE",
            Self::PermissionDenied => "FS_PERMISSION_DENIED",
            Self::SandboxDenied => "FS_SANDBOX_DENIED",
            Self::IoError => "FS_IO_ERROR",
            Self::StaleVersion => "FS_STALE_VERSION",
            Self::NotObserved => "FS_NOT_OBSERVED",
            Self::AmbiguousEdit => "FS_AMBIGUOUS_EDIT",
            Self::EditNotFound => "FS_EDIT_NOT_FOUND",
            Self::Aborted => "FS_ABORTED",
        }
    }
}

/// A failed file operation: code, sentence, path as shown, and the unusual reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Which of the thirteen.
    pub code: Code,
    /// One sentence: verb, path, reason. Never a staging path.
    pub message: String,
    /// The path as shown.
    pub path: Option<String>,
    /// More than the ordinary reason of this code.
    pub detail: Option<String>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Error {}
