//! Directories as the registry knows them: canonical, in the name escape.
#![allow(
    clippy::disallowed_methods,
    reason = "the registry is about directories that its caller names"
)]

use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::{fs, io};

use dsh_fs::name;

use super::record::Status;
use crate::error::StateError;

/// The canonical spelling of an existing directory.
pub(super) fn canonical(path: &str) -> Result<String, StateError> {
    let canonical = canonical_or_file(path)?;
    match status(&canonical) {
        Status::Ok => Ok(canonical),
        Status::MissingDir => Err(no_directory(path, "it is not a directory")),
    }
}

/// The canonical spelling of whatever is there.
pub(super) fn canonical_or_file(path: &str) -> Result<String, StateError> {
    resolved(path).map_err(|error| no_directory(path, &error.to_string()))
}

/// The canonical spelling, or why there is none.
pub(super) fn resolved(path: &str) -> io::Result<String> {
    let canonical = fs::canonicalize(on_disk(path))?;
    Ok(name::to_text(canonical.as_os_str().as_bytes()))
}

pub(super) fn status(path: &str) -> Status {
    match fs::metadata(on_disk(path)) {
        Ok(found) if found.is_dir() => Status::Ok,
        _ => Status::MissingDir,
    }
}

/// The title of a workspace that was given none.
pub(super) fn last_name(path: &str) -> &str {
    match path.rsplit('/').next() {
        Some(name) if !name.is_empty() => name,
        _ => path,
    }
}

fn on_disk(path: &str) -> PathBuf {
    std::ffi::OsString::from_vec(name::to_bytes(path)).into()
}

fn no_directory(path: &str, why: &str) -> StateError {
    StateError::NoDirectory {
        path: path.to_owned(),
        why: why.to_owned(),
    }
}
