//! The thirteen codes of a failed file operation, equal to those of the WIT package.

/// The ways in which a file operation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// `FS_NOT_FOUND`: nothing is there, or the path cannot name a file.
    NotFound,
    /// `FS_NOT_DIRECTORY`: a listing was asked of something else.
    NotDirectory,
    /// `FS_NOT_TEXT`: the content is not UTF-8, or holds NUL.
    NotText,
    /// `FS_NOT_REGULAR_FILE`: a directory, FIFO, socket or device.
    NotRegularFile,
    /// `FS_TOO_LARGE`: more than the limit of the call.
    TooLarge,
    /// `FS_PERMISSION_DENIED`: the operating system, or the file's metadata, forbid it.
    PermissionDenied,
    /// `FS_SANDBOX_DENIED`: the policy forbids it.
    SandboxDenied,
    /// `FS_IO_ERROR`: the operating system failed.
    IoError,
    /// `FS_STALE_VERSION`: the file is not the one that was seen.
    StaleVersion,
    /// `FS_NOT_OBSERVED`: the file was never seen by this owner.
    NotObserved,
    /// `FS_AMBIGUOUS_EDIT`: the old text occurs more than once.
    AmbiguousEdit,
    /// `FS_EDIT_NOT_FOUND`: the old text does not occur.
    EditNotFound,
    /// `FS_ABORTED`: the caller cancelled the operation.
    Aborted,
}
