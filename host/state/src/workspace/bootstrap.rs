//! The first use: a workspace of each directory in which sessions were started before.

use std::collections::BTreeMap;

use rusqlite::{Transaction, params};

use super::record::Status;
use super::{directory, record, sessions};
use crate::error::StateError;

/// Whether it was done.
pub(super) fn is_done(transaction: &Transaction<'_>) -> Result<bool, StateError> {
    let sql = "SELECT count(*) FROM registry";
    let done: i64 = transaction.query_row(sql, [], |row| row.get(0))?;
    Ok(done > 0)
}

/// Makes them, newest activity first, and writes down that it was done. Of several
/// processes that come at once one does it.
pub(super) fn run(transaction: &Transaction<'_>) -> Result<(), StateError> {
    if is_done(transaction)? {
        return Ok(());
    }
    for (path, (at_ms, names)) in directories(transaction)? {
        let id = match record::by_path(transaction, &path)? {
            Some(found) => found.id,
            None => record::insert(transaction, &path, directory::last_name(&path), at_ms)?,
        };
        for name in names.iter().rev() {
            sessions::put_first(transaction, &id, name)?;
        }
    }
    order_by_activity(transaction)?;
    transaction.execute("INSERT INTO registry (id) VALUES (1)", [])?;
    Ok(())
}

/// Directories that are there and have sessions of no workspace, with the time of the
/// newest of them, and the sessions: newest first, and by name where times are equal.
fn directories(
    transaction: &Transaction<'_>,
) -> Result<BTreeMap<String, (i64, Vec<String>)>, StateError> {
    let sql = "SELECT name, cwd, created_ms FROM session WHERE cwd <> ''
        AND name NOT IN (SELECT session FROM attachment)
        ORDER BY created_ms DESC, name";
    let mut statement = transaction.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(String, String, i64)> = rows.collect::<Result<_, _>>()?;
    let mut found: BTreeMap<String, (i64, Vec<String>)> = BTreeMap::new();
    for (name, cwd, at_ms) in rows {
        let Ok(path) = directory::resolved(&cwd) else {
            continue;
        };
        if directory::status(&path) == Status::Ok {
            let (_, names) = found.entry(path).or_insert((at_ms, Vec::new()));
            names.push(name);
        }
    }
    Ok(found)
}

/// The newest session counts, of those that are hidden too; without one the time at which
/// the workspace was made; then the order of before.
fn order_by_activity(transaction: &Transaction<'_>) -> Result<(), StateError> {
    let sql = "SELECT id FROM workspace ORDER BY coalesce(
            (SELECT max(session.created_ms) FROM attachment
                JOIN session ON session.name = attachment.session
                WHERE attachment.workspace = workspace.id),
            created_ms) DESC, position, id";
    let mut statement = transaction.prepare(sql)?;
    let ids = statement.query_map([], |row| row.get(0))?;
    let ids: Vec<String> = ids.collect::<Result<_, _>>()?;
    let mut place = transaction.prepare("UPDATE workspace SET position = ? WHERE id = ?")?;
    for (position, id) in (0_i64..).zip(ids) {
        place.execute(params![position, id])?;
    }
    Ok(())
}
