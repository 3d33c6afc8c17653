//! One call of a session at a time, across processes.
#![allow(
    clippy::disallowed_methods,
    reason = "the embedder names the file of the database, and the locks lie beside it"
)]

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::error::StateError;
use crate::session;
use crate::store::Store;

const SHORTEST_WAIT: Duration = Duration::from_millis(1);
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// The right to run a call of one session. It ends when it is dropped, and when the
/// process dies.
#[derive(Debug)]
pub struct SessionLock {
    /// Nothing where the database is in memory, which no other process has.
    _file: Option<File>,
}

impl Store {
    /// Waits until no other process runs a call of this session. `cancelled` is looked at
    /// while it waits.
    ///
    /// # Errors
    /// [`StateError::Cancelled`], [`StateError::UnknownSession`],
    /// [`StateError::Unusable`], [`StateError::Failed`].
    pub fn lock_session(
        &self,
        name: &str,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<SessionLock, StateError> {
        let Some(path) = self.path() else {
            return Ok(SessionLock { _file: None });
        };
        let id = self.read(|transaction| session::id(transaction, name))?;
        let folder = folder(path);
        let unusable = |error: io::Error| StateError::Unusable {
            path: folder.clone(),
            why: error.to_string(),
        };
        let file = open(&folder, id).map_err(unusable)?;
        let mut wait = SHORTEST_WAIT;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(SessionLock { _file: Some(file) }),
                Err(Errno::WOULDBLOCK | Errno::INTR) => {}
                Err(errno) => return Err(unusable(errno.into())),
            }
            if cancelled() {
                return Err(StateError::Cancelled(name.to_owned()));
            }
            sleep(wait);
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }
}

/// Beside the database. The files are empty, one for each session that was ever locked,
/// and stay: a lock on a removed file would lock nobody out.
fn folder(database: &Path) -> PathBuf {
    let mut name = database.file_name().unwrap_or_default().to_owned();
    name.push("-locks");
    database.with_file_name(name)
}

fn open(folder: &Path, id: i64) -> io::Result<File> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    options.open(folder.join(id.to_string()))
}
