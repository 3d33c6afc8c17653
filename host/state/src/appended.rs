//! Saving what is new in a memory, and reading what is new in it: a call then costs what it
//! has seen, and not what was seen before.
//!
//! Every page has the generation that wrote it. Pages that are appended are taken in after
//! those before them; [`Store::save_memory`] puts others in their place.

use rusqlite::{OptionalExtension, Transaction, params};

use crate::clock::now_ms;
use crate::error::StateError;
use crate::mode::{self, ModeEvent};
use crate::session;
use crate::store::Store;

/// What was saved since a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// How often the session was saved by now.
    pub generation: u64,
    /// The pages that are new, in the order in which they are taken in.
    pub pages: Vec<String>,
    /// The changes that can be taken back; nothing where nothing was saved since.
    pub changes: Option<String>,
    /// Whether the pages are all there are, because others were put in their place since.
    pub whole: bool,
}

impl Store {
    /// What was saved since a generation; all of it where the generation is not of this
    /// session.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn memory_since(&self, name: &str, generation: u64) -> Result<Since, StateError> {
        self.read(|transaction| {
            let id = session::id(transaction, name)?;
            let sql = "SELECT generation, whole_since, changes FROM session WHERE id = ?";
            let mut statement = transaction.prepare_cached(sql)?;
            let number = |row: &rusqlite::Row<'_>, place| row.get(place).map(i64::cast_unsigned);
            let (now, whole_since, changes) = statement.query_row([id], |row| {
                Ok((number(row, 0)?, number(row, 1)?, row.get(2)?))
            })?;
            if now == generation {
                return Ok(Since {
                    generation,
                    ..Since::default()
                });
            }
            let whole = generation > now || generation < whole_since;
            let after = if whole { -1 } else { generation.cast_signed() };
            Ok(Since {
                generation: now,
                pages: pages(transaction, id, after)?,
                changes: Some(changes),
                whole,
            })
        })
    }

    /// Adds pages after those that are saved, and replaces the changes where they are given.
    /// Answers the new generation.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn append_memory(
        &self,
        name: &str,
        pages: &[String],
        changes: Option<&str>,
    ) -> Result<u64, StateError> {
        self.change(|transaction| {
            let id = session::id(transaction, name)?;
            let next: i64 = transaction
                .prepare_cached(
                    "UPDATE session SET generation = generation + 1, used_ms = ?2,
                        changes = coalesce(?3, changes) WHERE id = ?1 RETURNING generation",
                )?
                .query_row(params![id, now_ms(), changes], |row| row.get(0))?;
            let mut write = transaction.prepare_cached(
                "INSERT INTO page (session, number, text, generation) VALUES (?1,
                    (SELECT coalesce(max(number), -1) + 1 FROM page WHERE session = ?1), ?2, ?3)",
            )?;
            for page in pages {
                write.execute(params![id, page, next])?;
            }
            Ok(next.cast_unsigned())
        })
    }

    /// The last mode that a session was given.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn last_mode(&self, name: &str) -> Result<Option<ModeEvent>, StateError> {
        self.read(|transaction| {
            let id = session::id(transaction, name)?;
            let sql = "SELECT mode, source, at_ms FROM mode_event WHERE session = ?
                ORDER BY id DESC LIMIT 1";
            let mut statement = transaction.prepare_cached(sql)?;
            Ok(statement.query_row([id], mode::event).optional()?)
        })
    }
}

fn pages(transaction: &Transaction<'_>, id: i64, after: i64) -> Result<Vec<String>, StateError> {
    let sql = "SELECT text FROM page WHERE session = ? AND generation > ? ORDER BY number";
    let mut statement = transaction.prepare_cached(sql)?;
    let pages = statement.query_map([id, after], |row| row.get(0))?;
    Ok(pages.collect::<Result<_, _>>()?)
}
