//! The file: private to its user, and ours.
#![allow(
    clippy::disallowed_methods,
    reason = "the embedder names the file of the database"
)]

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::error::StateError;
use crate::wording;

/// Makes the file where there is none, readable by its user alone. One that others could
/// write, or put something in the place of, is refused: whoever plants sessions or grants
/// can make up permissions.
///
/// A file that is there is not opened: to close it again would free the locks that this
/// process has on it through another [`crate::Store`].
pub(crate) fn make_private(path: &Path) -> Result<(), StateError> {
    let unusable = |why: String| StateError::Unusable {
        path: path.to_owned(),
        why,
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let above = fs::metadata(folder).map_err(|error| unusable(error.to_string()))?;
    if !of_this_user(&above) && !of_root(&above) {
        return Err(unusable(wording::OTHERS_OWN_THE_FOLDER.to_owned()));
    }
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make(path, folder).and_then(|()| fs::symlink_metadata(path))
        }
        found => found,
    };
    let found = found.map_err(|error| unusable(error.to_string()))?;
    if !found.is_file() || !of_this_user(&found) {
        return Err(unusable(wording::OTHERS_CAN_WRITE.to_owned()));
    }
    Ok(())
}

/// Made under another name and linked, so that it is closed before anybody can open it.
fn make(path: &Path, folder: &Path) -> io::Result<()> {
    let made = folder.join(format!(".{}", uuid::Uuid::new_v4()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    drop(options.open(&made)?);
    let linked = fs::hard_link(&made, path);
    fs::remove_file(&made)?;
    match linked {
        // Another process made it meanwhile.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    }
}

fn of_this_user(found: &Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw() && closed(found)
}

fn of_root(found: &Metadata) -> bool {
    found.uid() == 0 && closed(found)
}

/// Whether nobody but the owner can write.
fn closed(found: &Metadata) -> bool {
    found.mode() & 0o022 == 0
}
