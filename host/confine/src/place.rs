#![allow(
    clippy::disallowed_methods,
    reason = "where a mount lands is a fact of the disk, and nothing is opened or changed"
)]
//! What lies at a path on the disk, as far as a profile depends on it.

use std::path::{Path, PathBuf};

/// What lies at a path, the last name not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A file of any other kind.
    File,
}

/// What lies at a path; nothing where it cannot be looked at.
pub(crate) fn kind(path: &Path) -> Option<Kind> {
    let found = std::fs::symlink_metadata(path).ok()?.file_type();
    Some(if found.is_dir() {
        Kind::Directory
    } else if found.is_symlink() {
        Kind::Link
    } else {
        Kind::File
    })
}

/// Where a path leads, every link followed; nothing where it leads nowhere.
pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}
