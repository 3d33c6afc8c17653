//! Several files, all or nothing.
//!
//! Each change is written into a journal before it is published, with the text that it
//! displaces. Others may see the middle. Where a change fails, the caller takes the others
//! back; where the process dies, [`Transactions::recover`] does, at the next start. A file
//! that somebody changed since is left as it is, and named.

mod back;
mod folder;
mod journal;
mod record;
mod recover;
mod running;
mod steps;

use std::io;
use std::path::Path;
use std::sync::Arc;

use self::folder::Folder;
use self::journal::Journal;
use crate::error::Error;
use crate::local::Watch;
use crate::local::sys::Kernel;
use crate::version::VersionSecret;
use crate::wording;

pub use back::{Left, Outcome, RolledBack};
pub use recover::Recovered;
pub(crate) use running::Journaling;
pub use running::{MOST_BYTES, Transaction};
pub use steps::Touched;

/// Where transactions are begun, and taken up after a crash. May be used from several
/// threads, and its folder by several processes at once.
pub struct Transactions {
    secret: VersionSecret,
    folder: Arc<Folder>,
}

impl Transactions {
    /// Transactions whose journals are in this folder, which is made if its parent is
    /// there. The secret is that of the provider, and the same at the next start.
    ///
    /// # Errors
    /// The folder cannot be made, is no directory or a link, or is open to other users.
    pub fn in_folder(secret: VersionSecret, path: &Path) -> io::Result<Self> {
        Self::on(Kernel::default(), secret, path)
    }

    /// The same; each system call on a journal is announced first. For tests.
    ///
    /// # Errors
    /// As [`Self::in_folder`].
    pub fn watched(secret: VersionSecret, path: &Path, watch: Arc<dyn Watch>) -> io::Result<Self> {
        Self::on(Kernel::watched(watch), secret, path)
    }

    fn on(kernel: Kernel, secret: VersionSecret, path: &Path) -> io::Result<Self> {
        Ok(Self {
            secret,
            folder: Arc::new(Folder::open(kernel, path)?),
        })
    }

    /// Begins a transaction. The label is for people, who may read it after a crash.
    ///
    /// # Errors
    /// `FS_IO_ERROR`: there can be no journal.
    pub fn begin(&self, label: &str) -> Result<Arc<Transaction>, Error> {
        let journal = Journal::begin(&self.folder, &self.secret, label)
            .map_err(wording::transaction::cannot_begin)?;
        Ok(Arc::new(Transaction::new(Some(journal))))
    }
}

impl std::fmt::Debug for Transactions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transactions").finish_non_exhaustive()
    }
}
