//! Sessions that a person has put aside.

use super::Workspaces;
use crate::error::StateError;
use crate::session;

impl Workspaces {
    /// Puts a session aside; answers all that are, in the order in which that was done.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn archive(&self, session: &str) -> Result<Vec<String>, StateError> {
        self.store.change(|transaction| {
            session::id(transaction, session)?;
            let sql = "INSERT INTO archived (session, position)
                SELECT ?, coalesce(max(position), 0) + 1 FROM archived
                WHERE true ON CONFLICT DO NOTHING";
            transaction.execute(sql, [session])?;
            Ok(())
        })?;
        self.archived()
    }

    /// Takes a session back; one that was not put aside is no failure.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn unarchive(&self, session: &str) -> Result<Vec<String>, StateError> {
        self.store.change(|transaction| {
            transaction.execute("DELETE FROM archived WHERE session = ?", [session])?;
            Ok(())
        })?;
        self.archived()
    }

    /// The sessions that were put aside.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn archived(&self) -> Result<Vec<String>, StateError> {
        self.store.read(|transaction| {
            let sql = "SELECT session FROM archived ORDER BY position";
            let mut statement = transaction.prepare_cached(sql)?;
            let sessions = statement.query_map([], |row| row.get(0))?;
            Ok(sessions.collect::<Result<_, _>>()?)
        })
    }
}
