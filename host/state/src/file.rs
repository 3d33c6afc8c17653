//! The file: private to its user, and ours.
#![allow(
    clippy::disallowed_methods,
    reason = "the embedder names the file of the database"
)]

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::error::StateError;
use crate::wording;

/// Makes the file where there is none, readable by its user alone. One that others could
/// write is refused: whoever plants sessions or grants can make up permissions.
pub(crate) fn make_private(path: &Path) -> Result<(), StateError> {
    let unusable = |why: String| StateError::Unusable {
        path: path.to_owned(),
        why,
    };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).mode(0o600);
    // Nothing at the end of a link that somebody planted is opened.
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    let opened = options.open(path).and_then(|file| file.metadata());
    let found = opened.map_err(|error: io::Error| unusable(error.to_string()))?;
    let own = found.uid() == rustix::process::geteuid().as_raw();
    if !found.is_file() || !own || found.mode() & 0o022 != 0 {
        return Err(unusable(wording::OTHERS_CAN_WRITE.to_owned()));
    }
    Ok(())
}
