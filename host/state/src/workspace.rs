//! Workspaces: a canonical directory, a title, and the sessions that work there.

use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::StateError;

/// Attaches a session that was just made to the workspace of its directory, as the first.
pub(crate) fn attach_new(
    transaction: &Transaction<'_>,
    session: &str,
    cwd: &str,
) -> Result<(), StateError> {
    let workspace: Option<String> = transaction
        .prepare_cached("SELECT id FROM workspace WHERE path = ?")?
        .query_row([cwd], |row| row.get(0))
        .optional()?;
    let Some(workspace) = workspace else {
        return Ok(());
    };
    let sql = "INSERT INTO attachment (session, workspace, position)
        SELECT ?1, ?2, coalesce(min(position), 0) - 1 FROM attachment WHERE workspace = ?2";
    transaction
        .prepare_cached(sql)?
        .execute(params![session, workspace])?;
    Ok(())
}
