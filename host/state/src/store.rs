//! One database, open.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::error::StateError;
use crate::{file, schema};

/// How long a process waits for another one's transaction, which are short.
const PATIENCE: Duration = Duration::from_secs(30);

/// The database. Clones share one connection; transactions of one process run one after
/// another, and those of several wait for each other.
#[derive(Clone, Debug)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
    path: Option<PathBuf>,
}

impl Store {
    /// Opens the file, and makes it (mode 0600) where there is none. Its folder must be
    /// there, and closed to the writes of others, as the file must be.
    ///
    /// # Errors
    /// [`StateError::Unusable`], [`StateError::Foreign`] and [`StateError::Newer`], which
    /// leave the file untouched; [`StateError::Failed`].
    pub fn open(path: &Path) -> Result<Self, StateError> {
        file::make_private(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        check_ours(&connection, path)?;
        prepare(&mut connection)?;
        Ok(Self::over(connection, Some(path.to_owned())))
    }

    /// A database that ends with the last clone.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn in_memory() -> Result<Self, StateError> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&mut connection)?;
        Ok(Self::over(connection, None))
    }

    /// The file, if it is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn over(connection: Connection, path: Option<PathBuf>) -> Self {
        Self {
            connection: Arc::new(Mutex::new(connection)),
            path,
        }
    }

    /// Reads, as of one moment.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        work(&transaction)
    }

    /// Changes, all or nothing: what is not committed is rolled back when it is dropped.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic in between has dropped its transaction, which rolls it back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses what this release did not write, before anything is written to it.
fn check_ours(connection: &Connection, path: &Path) -> Result<(), StateError> {
    let found = match schema::look(connection) {
        Ok(found) => found,
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) => {
            return Err(StateError::Foreign(path.to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    match found.application {
        schema::APPLICATION if found.layout > schema::LAYOUT => Err(StateError::Newer {
            path: path.to_owned(),
            found: found.layout,
        }),
        schema::APPLICATION => Ok(()),
        0 if found.empty => Ok(()),
        _ => Err(StateError::Foreign(path.to_owned())),
    }
}

/// Written ahead and synced at each commit: what was acknowledged outlives a loss of power.
fn prepare(connection: &mut Connection) -> Result<(), StateError> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    schema::migrate(connection)?;
    Ok(())
}
