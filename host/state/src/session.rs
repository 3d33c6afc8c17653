//! Sessions: a name, a directory that never changes, and what hangs on them.

use dsh_fs::types::Mode;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::clock::now_ms;
use crate::error::StateError;
use crate::mode::{self, ModeSource};
use crate::store::Store;
use crate::{memory, workspace};

/// A session that is to be started, or taken up.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// Its name: 1 to 128 characters, none of them a control character.
    pub name: &'a str,
    /// Its canonical directory, in the name escape; empty where it has none.
    pub cwd: &'a str,
    /// The mode of the deployment; counts until the first event.
    pub mode: Mode,
    /// The secret of its ledger; that of a session that exists already stays.
    pub seed: (u64, u64),
}

/// A session as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRecord {
    /// Its name.
    pub name: String,
    /// Its canonical directory.
    pub cwd: String,
    /// The secret of its ledger.
    pub seed: (u64, u64),
    /// The session that it is a sub-agent of.
    pub parent: Option<String>,
    /// The workspace that it is attached to.
    pub workspace: Option<String>,
    /// The mode of the last event; nothing where there is none.
    pub event_mode: Option<Mode>,
    /// The mode of the deployment when it was started.
    pub default_mode: Mode,
    /// When it was started, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it was last saved or taken up.
    pub used_ms: i64,
    /// How often it was saved.
    pub generation: u64,
}

impl SessionRecord {
    /// The mode of now: that of the last event, else the deployment's of then.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.event_mode.unwrap_or(self.default_mode)
    }
}

impl Store {
    /// Takes a session up, or starts one that has seen nothing. A new one is attached to
    /// the workspace of its directory, where there is one.
    ///
    /// # Errors
    /// [`StateError::BadName`]; [`StateError::SessionElsewhere`]: there is one of this
    /// name in another directory; [`StateError::Failed`].
    pub fn start_session(&self, new: &NewSession<'_>) -> Result<SessionRecord, StateError> {
        check_name(new.name)?;
        self.change(|transaction| {
            if let Some(found) = find(transaction, new.name)? {
                if found.cwd != new.cwd {
                    return Err(elsewhere(found));
                }
                touch(transaction, new.name)?;
                return record(transaction, new.name);
            }
            insert(transaction, new, None)?;
            workspace::attach_new(transaction, new.name, new.cwd)?;
            record(transaction, new.name)
        })
    }

    /// A session by name.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn session(&self, name: &str) -> Result<Option<SessionRecord>, StateError> {
        self.read(|transaction| find(transaction, name))
    }

    /// Every session, the one used last first.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn sessions(&self) -> Result<Vec<SessionRecord>, StateError> {
        self.read(|transaction| {
            let sql = format!("{SELECT} ORDER BY used_ms DESC, name");
            let mut statement = transaction.prepare_cached(&sql)?;
            let sessions = statement.query_map([], read)?;
            Ok(sessions.collect::<Result<_, _>>()?)
        })
    }

    /// A session for a sub-agent: it has the mode of its parent, as an event of
    /// delegation, and knows what its parent has seen. Grants and changes to take back are
    /// not inherited.
    ///
    /// # Errors
    /// [`StateError::BadName`], [`StateError::UnknownSession`],
    /// [`StateError::SessionExists`], [`StateError::Failed`].
    pub fn fork_session(&self, parent: &str, child: &str) -> Result<SessionRecord, StateError> {
        check_name(child)?;
        self.change(|transaction| {
            let from = record(transaction, parent)?;
            if find(transaction, child)?.is_some() {
                return Err(StateError::SessionExists(child.to_owned()));
            }
            let new = NewSession {
                name: child,
                cwd: &from.cwd,
                mode: from.default_mode,
                seed: from.seed,
            };
            let made = insert(transaction, &new, Some(parent))?;
            mode::append(transaction, made, from.mode(), ModeSource::Delegation)?;
            memory::copy(transaction, id(transaction, parent)?, made)?;
            workspace::attach_new(transaction, child, &from.cwd)?;
            record(transaction, child)
        })
    }

    /// Forgets a session, what it has seen and the grants that were given to it.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`], [`StateError::Failed`].
    pub fn forget_session(&self, name: &str) -> Result<(), StateError> {
        self.change(|transaction| {
            let id = id(transaction, name)?;
            let owned = "DELETE FROM remembered_grant WHERE scope = 'session' AND owner = ?";
            transaction.execute(owned, [name])?;
            transaction.execute("DELETE FROM attachment WHERE session = ?", [name])?;
            transaction.execute("DELETE FROM archived WHERE session = ?", [name])?;
            transaction.execute("DELETE FROM session WHERE id = ?", [id])?;
            Ok(())
        })
    }
}

/// The number of a session.
pub(crate) fn id(transaction: &Transaction<'_>, name: &str) -> Result<i64, StateError> {
    let mut statement = transaction.prepare_cached("SELECT id FROM session WHERE name = ?")?;
    let id = statement.query_row([name], |row| row.get(0)).optional()?;
    id.ok_or_else(|| StateError::UnknownSession(name.to_owned()))
}

/// A session that must be there.
pub(crate) fn record(
    transaction: &Transaction<'_>,
    name: &str,
) -> Result<SessionRecord, StateError> {
    find(transaction, name)?.ok_or_else(|| StateError::UnknownSession(name.to_owned()))
}

/// It was used now.
pub(crate) fn touch(transaction: &Transaction<'_>, name: &str) -> Result<(), StateError> {
    transaction
        .prepare_cached("UPDATE session SET used_ms = ? WHERE name = ?")?
        .execute(params![now_ms(), name])?;
    Ok(())
}

const SELECT: &str = "SELECT name, cwd, seed_low, seed_high, parent, default_mode, created_ms,
    used_ms, generation,
    (SELECT mode FROM mode_event WHERE session = session.id ORDER BY id DESC LIMIT 1),
    (SELECT workspace FROM attachment WHERE attachment.session = session.name)
    FROM session";

fn find(transaction: &Transaction<'_>, name: &str) -> Result<Option<SessionRecord>, StateError> {
    let sql = format!("{SELECT} WHERE name = ?");
    let mut statement = transaction.prepare_cached(&sql)?;
    Ok(statement.query_row([name], read).optional()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<SessionRecord> {
    let event_mode: Option<String> = row.get(9)?;
    Ok(SessionRecord {
        name: row.get(0)?,
        cwd: row.get(1)?,
        seed: (
            row.get::<_, i64>(2)?.cast_unsigned(),
            row.get::<_, i64>(3)?.cast_unsigned(),
        ),
        parent: row.get(4)?,
        default_mode: mode::stored(&row.get::<_, String>(5)?),
        created_ms: row.get(6)?,
        used_ms: row.get(7)?,
        generation: row.get::<_, i64>(8)?.cast_unsigned(),
        event_mode: event_mode.as_deref().map(mode::stored),
        workspace: row.get(10)?,
    })
}

fn insert(
    transaction: &Transaction<'_>,
    new: &NewSession<'_>,
    parent: Option<&str>,
) -> Result<i64, StateError> {
    let sql = "INSERT INTO session
        (name, cwd, seed_low, seed_high, default_mode, parent, created_ms, used_ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)";
    let (low, high) = new.seed;
    transaction.prepare_cached(sql)?.execute(params![
        new.name,
        new.cwd,
        low.cast_signed(),
        high.cast_signed(),
        new.mode.name(),
        parent,
        now_ms()
    ])?;
    Ok(transaction.last_insert_rowid())
}

fn elsewhere(found: SessionRecord) -> StateError {
    StateError::SessionElsewhere {
        name: found.name,
        cwd: found.cwd,
    }
}

fn check_name(name: &str) -> Result<(), StateError> {
    let short = (1..=128).contains(&name.chars().count());
    match short && !name.chars().any(char::is_control) {
        true => Ok(()),
        false => Err(StateError::BadName(name.to_owned())),
    }
}
