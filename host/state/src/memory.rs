//! What a session has seen, and the changes that it can take back: opaque texts.

use rusqlite::{Transaction, params};

use crate::clock::now_ms;
use crate::error::StateError;
use crate::session;
use crate::store::Store;

/// The memory of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// How often it was saved.
    pub generation: u64,
    /// The pages of the ledger, in order.
    pub pages: Vec<String>,
    /// The changes that can be taken back.
    pub changes: String,
}

impl Store {
    /// The memory of a session.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn memory(&self, name: &str) -> Result<Memory, StateError> {
        self.read(|transaction| {
            let id = session::id(transaction, name)?;
            let (generation, changes) = transaction
                .prepare_cached("SELECT generation, changes FROM session WHERE id = ?")?
                .query_row([id], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
            Ok(Memory {
                generation: generation.cast_unsigned(),
                pages: pages(transaction, id)?,
                changes,
            })
        })
    }

    /// How often the session was saved.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn generation(&self, name: &str) -> Result<u64, StateError> {
        self.read(|transaction| {
            let id = session::id(transaction, name)?;
            generation(transaction, id)
        })
    }

    /// Saves a memory over the one of this generation; pages that are as they were are not
    /// written again. Answers the new generation.
    ///
    /// # Errors
    /// [`StateError::Moved`]: another process saved meanwhile, and nothing was written.
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn save_memory(
        &self,
        name: &str,
        expected: u64,
        pages: &[String],
        changes: &str,
    ) -> Result<u64, StateError> {
        self.change(|transaction| {
            let id = session::id(transaction, name)?;
            if generation(transaction, id)? != expected {
                return Err(StateError::Moved(name.to_owned()));
            }
            let next = expected + 1;
            write_pages(transaction, id, pages, next.cast_signed())?;
            let sql = "UPDATE session SET generation = ?1, whole_since = ?1, changes = ?2,
                used_ms = ?3 WHERE id = ?4";
            transaction.prepare_cached(sql)?.execute(params![
                next.cast_signed(),
                changes,
                now_ms(),
                id
            ])?;
            Ok(next)
        })
    }
}

/// Gives one session the pages of another.
pub(crate) fn copy(transaction: &Transaction<'_>, from: i64, to: i64) -> Result<(), StateError> {
    let sql = "INSERT INTO page (session, number, text)
        SELECT ?, number, text FROM page WHERE session = ?";
    transaction.execute(sql, [to, from])?;
    Ok(())
}

fn generation(transaction: &Transaction<'_>, id: i64) -> Result<u64, StateError> {
    let mut statement =
        transaction.prepare_cached("SELECT generation FROM session WHERE id = ?")?;
    let generation: i64 = statement.query_row([id], |row| row.get(0))?;
    Ok(generation.cast_unsigned())
}

fn pages(transaction: &Transaction<'_>, id: i64) -> Result<Vec<String>, StateError> {
    let sql = "SELECT text FROM page WHERE session = ? ORDER BY number";
    let mut statement = transaction.prepare_cached(sql)?;
    let pages = statement.query_map([id], |row| row.get(0))?;
    Ok(pages.collect::<Result<_, _>>()?)
}

fn write_pages(
    transaction: &Transaction<'_>,
    id: i64,
    pages: &[String],
    generation: i64,
) -> Result<(), StateError> {
    let sql = "INSERT INTO page (session, number, text, generation) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET text = ?3, generation = ?4 WHERE text <> ?3";
    let mut write = transaction.prepare_cached(sql)?;
    for (number, page) in (0_i64..).zip(pages) {
        write.execute(params![id, number, page, generation])?;
    }
    let count = i64::try_from(pages.len()).unwrap_or(i64::MAX);
    transaction
        .prepare_cached("DELETE FROM page WHERE session = ? AND number >= ?")?
        .execute([id, count])?;
    Ok(())
}
