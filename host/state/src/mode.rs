//! The `sandbox/mode` events of a session.

use dsh_fs::types::Mode;
use rusqlite::{Row, Transaction, params};

use crate::clock::now_ms;
use crate::error::StateError;
use crate::session;
use crate::store::Store;

/// Who changed the mode of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeSource {
    /// A person, or the embedder for one.
    User,
    /// Inherited when a sub-agent was started.
    Delegation,
}

impl ModeSource {
    /// The name that is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Delegation => "delegation",
        }
    }
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeEvent {
    /// The mode from here on.
    pub mode: Mode,
    /// Who said so.
    pub source: ModeSource,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
}

impl Store {
    /// Writes a change of mode down, as the last event of the session.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn append_mode(
        &self,
        name: &str,
        mode: Mode,
        source: ModeSource,
    ) -> Result<(), StateError> {
        self.change(|transaction| {
            append(transaction, session::id(transaction, name)?, mode, source)
        })
    }

    /// The events of a session, oldest first.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn mode_events(&self, name: &str) -> Result<Vec<ModeEvent>, StateError> {
        self.read(|transaction| {
            let id = session::id(transaction, name)?;
            let sql = "SELECT mode, source, at_ms FROM mode_event WHERE session = ? ORDER BY id";
            let mut statement = transaction.prepare_cached(sql)?;
            let events = statement.query_map([id], event)?;
            Ok(events.collect::<Result<_, _>>()?)
        })
    }
}

pub(crate) fn append(
    transaction: &Transaction<'_>,
    session: i64,
    mode: Mode,
    source: ModeSource,
) -> Result<(), StateError> {
    let sql = "INSERT INTO mode_event (session, mode, source, at_ms) VALUES (?, ?, ?, ?)";
    transaction.prepare_cached(sql)?.execute(params![
        session,
        mode.name(),
        source.name(),
        now_ms()
    ])?;
    Ok(())
}

/// A mode as it is stored. One that is not known is the narrowest.
pub(crate) fn stored(name: &str) -> Mode {
    Mode::from_name(name).unwrap_or(Mode::ReadOnly)
}

pub(crate) fn event(row: &Row<'_>) -> rusqlite::Result<ModeEvent> {
    let source: String = row.get(1)?;
    Ok(ModeEvent {
        mode: stored(&row.get::<_, String>(0)?),
        source: match source.as_str() {
            "delegation" => ModeSource::Delegation,
            _ => ModeSource::User,
        },
        at_ms: row.get(2)?,
    })
}
