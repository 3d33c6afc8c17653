//! One workspace as it is stored.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::sessions;
use crate::error::StateError;

/// A workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its id, which never changes.
    pub id: String,
    /// Its canonical directory, in the name escape.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its sessions in order; those that have gone elsewhere are left out.
    pub sessions: Vec<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it was last changed.
    pub updated_ms: i64,
}

/// Whether the directory of a workspace is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is.
    Ok,
    /// It is not, or is something else by now.
    MissingDir,
}

impl Status {
    /// `ok` or `missing-dir`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::MissingDir => "missing-dir",
        }
    }
}

const SELECT: &str = "SELECT id, path, title, created_ms, updated_ms FROM workspace";

pub(super) fn all(transaction: &Transaction<'_>) -> Result<Vec<Workspace>, StateError> {
    let sql = format!("{SELECT} ORDER BY position");
    let mut statement = transaction.prepare_cached(&sql)?;
    let found = statement.query_map([], read)?;
    let found: Vec<Workspace> = found.collect::<Result<_, _>>()?;
    found
        .into_iter()
        .map(|workspace| with_sessions(transaction, workspace))
        .collect()
}

pub(super) fn find(
    transaction: &Transaction<'_>,
    id: &str,
) -> Result<Option<Workspace>, StateError> {
    by(transaction, "id", id)
}

pub(super) fn by_path(
    transaction: &Transaction<'_>,
    path: &str,
) -> Result<Option<Workspace>, StateError> {
    by(transaction, "path", path)
}

pub(super) fn get(transaction: &Transaction<'_>, id: &str) -> Result<Workspace, StateError> {
    find(transaction, id)?.ok_or_else(|| StateError::UnknownWorkspace(id.to_owned()))
}

/// Makes a workspace, in front of all others.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    path: &str,
    title: &str,
    at_ms: i64,
) -> Result<String, StateError> {
    let id = uuid::Uuid::new_v4().to_string();
    let sql = "INSERT INTO workspace (id, path, title, position, created_ms, updated_ms)
        SELECT ?1, ?2, ?3, coalesce(min(position), 0) - 1, ?4, ?4 FROM workspace";
    transaction.execute(sql, params![id, path, title, at_ms])?;
    Ok(id)
}

fn by(
    transaction: &Transaction<'_>,
    column: &str,
    value: &str,
) -> Result<Option<Workspace>, StateError> {
    let sql = format!("{SELECT} WHERE {column} = ?");
    let mut statement = transaction.prepare_cached(&sql)?;
    let found = statement.query_row([value], read).optional()?;
    found
        .map(|workspace| with_sessions(transaction, workspace))
        .transpose()
}

fn with_sessions(
    transaction: &Transaction<'_>,
    workspace: Workspace,
) -> Result<Workspace, StateError> {
    let sessions = sessions::visible(transaction, &workspace)?;
    Ok(Workspace {
        sessions,
        ..workspace
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Workspace> {
    Ok(Workspace {
        id: row.get(0)?,
        path: row.get(1)?,
        title: row.get(2)?,
        sessions: Vec::new(),
        created_ms: row.get(3)?,
        updated_ms: row.get(4)?,
    })
}
