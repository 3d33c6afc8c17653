//! The sessions of a workspace, in order.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::record::{Status, Workspace};
use super::{Workspaces, directory, order};
use crate::error::{Misplaced, StateError};

impl Workspaces {
    /// Attaches a session, as the first, whose own directory is the workspace's. One that
    /// is attached already stays where it is.
    ///
    /// # Errors
    /// [`StateError::UnknownSession`]; [`StateError::Misplaced`]: it has no directory, or
    /// another one; [`StateError::UnknownWorkspace`], [`StateError::Failed`].
    pub fn attach(&self, id: &str, session: &str) -> Result<Workspace, StateError> {
        self.changed(id, |transaction, workspace| {
            check(transaction, workspace, session)?;
            let attached = accounted(transaction, id)?;
            if attached.iter().any(|known| known == session) {
                return Ok(false);
            }
            put_first(transaction, id, session)?;
            Ok(true)
        })
    }

    /// Detaches a session; one that is not attached is no failure.
    ///
    /// # Errors
    /// [`StateError::UnknownWorkspace`], [`StateError::Failed`].
    pub fn detach(&self, id: &str, session: &str) -> Result<Workspace, StateError> {
        self.changed(id, |transaction, _| {
            let sql = "DELETE FROM attachment WHERE workspace = ? AND session = ?";
            Ok(transaction.execute(sql, [id, session])? > 0)
        })
    }

    /// Moves a session ahead of another one, or to the end.
    ///
    /// # Errors
    /// [`StateError::NotAccounted`]: one of them is not in the workspace.
    /// [`StateError::UnknownWorkspace`], [`StateError::Failed`].
    pub fn move_session(
        &self,
        id: &str,
        session: &str,
        before: Option<&str>,
    ) -> Result<Workspace, StateError> {
        self.changed(id, |transaction, _| {
            let now = accounted(transaction, id)?;
            let moved = order::moved(&now, session, before)?;
            if moved == now {
                return Ok(false);
            }
            let sql = "UPDATE attachment SET position = ? WHERE session = ?";
            let mut place = transaction.prepare_cached(sql)?;
            for (position, session) in (0_i64..).zip(&moved) {
                place.execute(params![position, session])?;
            }
            Ok(true)
        })
    }
}

/// The sessions that belong here: known, and still in this directory.
pub(super) fn visible(
    transaction: &Transaction<'_>,
    workspace: &Workspace,
) -> Result<Vec<String>, StateError> {
    let mut visible = accounted(transaction, &workspace.id)?;
    let mut hidden = None;
    visible.retain(|session| match check(transaction, workspace, session) {
        Ok(()) => true,
        Err(StateError::Failed(error)) => {
            hidden = Some(error);
            false
        }
        Err(_) => false,
    });
    match hidden {
        Some(error) => Err(error.into()),
        None => Ok(visible),
    }
}

/// Removes the hidden ones, and tells whether there were any; while the directory is gone,
/// none can be told from the others.
pub(super) fn prune(
    transaction: &Transaction<'_>,
    workspace: &Workspace,
) -> Result<bool, StateError> {
    if directory::status(&workspace.path) == Status::MissingDir {
        return Ok(false);
    }
    let mut pruned = false;
    for session in accounted(transaction, &workspace.id)? {
        if !workspace.sessions.contains(&session) {
            transaction.execute("DELETE FROM attachment WHERE session = ?", [session])?;
            pruned = true;
        }
    }
    Ok(pruned)
}

/// Puts a session in front; one that was attached elsewhere moves.
pub(super) fn put_first(
    connection: &Connection,
    workspace: &str,
    session: &str,
) -> Result<(), StateError> {
    let sql = "INSERT INTO attachment (session, workspace, position)
        SELECT ?1, ?2, coalesce(min(position), 0) - 1 FROM attachment WHERE workspace = ?2
        ON CONFLICT (session) DO UPDATE
        SET workspace = excluded.workspace, position = excluded.position";
    connection
        .prepare_cached(sql)?
        .execute(params![session, workspace])?;
    Ok(())
}

/// Every session that is stored for a workspace, in order.
fn accounted(connection: &Connection, workspace: &str) -> Result<Vec<String>, StateError> {
    let sql = "SELECT session FROM attachment WHERE workspace = ? ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let sessions = statement.query_map([workspace], |row| row.get(0))?;
    Ok(sessions.collect::<Result<_, _>>()?)
}

/// Whether a session belongs to a workspace.
fn check(
    transaction: &Transaction<'_>,
    workspace: &Workspace,
    session: &str,
) -> Result<(), StateError> {
    let cwd: Option<String> = transaction
        .prepare_cached("SELECT cwd FROM session WHERE name = ?")?
        .query_row([session], |row| row.get(0))
        .optional()?;
    let cwd = cwd.ok_or_else(|| StateError::UnknownSession(session.to_owned()))?;
    let misplaced = |why| StateError::Misplaced {
        session: session.to_owned(),
        why,
    };
    if cwd.is_empty() {
        return Err(misplaced(Misplaced::NoDirectory));
    }
    let resolved = directory::resolved(&cwd);
    let resolved = resolved.map_err(|_| misplaced(Misplaced::Unresolved(cwd)))?;
    if directory::status(&resolved) == Status::MissingDir {
        return Err(misplaced(Misplaced::File(resolved)));
    }
    match resolved == workspace.path {
        true => Ok(()),
        false => Err(misplaced(Misplaced::Elsewhere(resolved))),
    }
}
