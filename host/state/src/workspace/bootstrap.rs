//! The first use: a workspace of each directory in which sessions were started before.

use std::collections::BTreeMap;

use rusqlite::Transaction;

use super::record::Status;
use super::{directory, record, sessions};
use crate::error::StateError;

/// Whether it was done.
pub(super) fn is_done(transaction: &Transaction<'_>) -> Result<bool, StateError> {
    let sql = "SELECT count(*) FROM registry";
    let done: i64 = transaction.query_row(sql, [], |row| row.get(0))?;
    Ok(done > 0)
}

/// Makes them, and writes down that it was done. Of several processes that come at once one
/// does it.
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
    put_in_order(transaction)?;
    transaction.execute("INSERT INTO registry (id) VALUES (1)", [])?;
    Ok(())
}

/// Newest activity first: that of a workspace is its newest session, or without one its own
/// making. Where times are equal the order stays, and at last the id decides.
fn put_in_order(transaction: &Transaction<'_>) -> Result<(), StateError> {
    let sql = "UPDATE workspace SET position = ranked.place FROM (
            SELECT workspace.id AS id, row_number() OVER (ORDER BY
                coalesce(max(session.created_ms), workspace.created_ms) DESC,
                workspace.position, workspace.id) AS place
            FROM workspace
            LEFT JOIN attachment ON attachment.workspace = workspace.id
            LEFT JOIN session ON session.name = attachment.session
            GROUP BY workspace.id
        ) AS ranked WHERE ranked.id = workspace.id";
    transaction.execute(sql, [])?;
    Ok(())
}

/// Directories that are there, with the time of their newest session and their sessions,
/// newest first and by name where times are equal.
type Directories = BTreeMap<String, (i64, Vec<String>)>;

fn directories(transaction: &Transaction<'_>) -> Result<Directories, StateError> {
    let sql = "SELECT name, cwd, created_ms FROM session WHERE cwd <> ''
        AND name NOT IN (SELECT session FROM attachment)
        ORDER BY created_ms DESC, name";
    let mut statement = transaction.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(String, String, i64)> = rows.collect::<Result<_, _>>()?;
    let mut found = Directories::new();
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
