//! The rows of a database: written as a vector gives them, and read as it states them.
//!
//! This goes past the registry on purpose: what is given has no way in through it.

use anyhow::{Result, bail};
use rusqlite::{Connection, ErrorCode, Transaction, params};
use serde_json::{Value, json};

use super::told::Names;

/// The code of a start over a state that the tables refused.
pub(super) const REFUSED: &str = "STATE_REFUSED";

/// When a record was made that does not say so.
const MADE: &str = "2020-01-01T00:00:00.000Z";

/// What `given.domain` may say.
const FIELDS: [&str; 4] = ["sessions", "live", "records", "state"];

/// Writes what is given, all or nothing. Where a constraint of the tables refuses it, the
/// answer is the constraint.
pub(super) fn plant(connection: &mut Connection, domain: &Value) -> Result<Option<String>> {
    let unknown = domain
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys());
    if let Some(field) = unknown
        .into_iter()
        .find(|name| !FIELDS.contains(&name.as_str()))
    {
        bail!("`given.domain.{field}` is not known");
    }
    let transaction = connection.transaction()?;
    let planted = rows_of(&transaction, domain);
    match planted {
        Ok(()) => transaction.commit()?,
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            return Ok(Some(error.to_string()));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(None)
}

fn rows_of(transaction: &Transaction<'_>, domain: &Value) -> rusqlite::Result<()> {
    // A live session of ours is in the database from its start.
    for list in ["sessions", "live"] {
        sessions(transaction, &domain[list])?;
    }
    let state = &domain["state"];
    let records = items(&domain["records"]);
    let record = |id: &Value| records.iter().find(|record| record[0] == *id);
    let order = items(&state["workspaceIds"]);
    for (place, id) in (0_i64..).zip(order) {
        workspace(
            transaction,
            id,
            record(id).map(|record| &record[1]),
            Some(place),
        )?;
    }
    let initialized = state["initialized"] == true;
    for record in records.iter().filter(|record| !order.contains(&record[0])) {
        // Before the first start there is no order yet; later every workspace has a place.
        let place = (!initialized).then_some(i64::MAX);
        workspace(transaction, &record[0], Some(&record[1]), place)?;
    }
    for (place, session) in (0_i64..).zip(items(&state["archivedSessionIds"])) {
        let sql = "INSERT INTO archived (session, position) VALUES (?, ?)";
        transaction.execute(sql, params![session.as_str(), place])?;
    }
    if initialized {
        transaction.execute("INSERT INTO registry (id) VALUES (1)", [])?;
    }
    Ok(())
}

fn workspace(
    transaction: &Transaction<'_>,
    id: &Value,
    record: Option<&Value>,
    place: Option<i64>,
) -> rusqlite::Result<()> {
    let record = record.unwrap_or(&Value::Null);
    let path = record["path"].as_str();
    let last = path.and_then(|path| path.rsplit('/').next());
    let created = record["createdAt"].as_str().unwrap_or(MADE);
    let sql = "INSERT INTO workspace (id, path, title, position, created_ms, updated_ms)
        VALUES (?1, ?2, ?3, ?4, 1000 * unixepoch(?5), 1000 * unixepoch(?6))";
    transaction.execute(
        sql,
        params![
            id.as_str(),
            path,
            record["title"].as_str().or(last),
            place,
            created,
            record["updatedAt"].as_str().unwrap_or(created),
        ],
    )?;
    for (place, session) in (0_i64..).zip(items(&record["sessionIds"])) {
        let sql = "INSERT INTO attachment (session, workspace, position) VALUES (?, ?, ?)";
        transaction.execute(sql, params![session.as_str(), id.as_str(), place])?;
    }
    Ok(())
}

fn sessions(connection: &Connection, list: &Value) -> rusqlite::Result<()> {
    for session in items(list) {
        let sql = "INSERT INTO session
            (name, cwd, seed_low, seed_high, default_mode, created_ms, used_ms)
            VALUES (?1, ?2, 1, 2, 'read-only', ?3, ?3)";
        let cwd = session["cwd"].as_str().unwrap_or("");
        let values = params![session["id"].as_str(), cwd, session["createdAt"].as_i64()];
        connection.execute(sql, values)?;
    }
    Ok(())
}

/// Puts other sessions in the place of those that are there.
pub(super) fn replace_sessions(connection: &Connection, list: &Value) -> Result<Value> {
    connection.execute("DELETE FROM session", [])?;
    sessions(connection, list)?;
    Ok(json!({"done": true}))
}

/// Makes every look at the sessions fail.
pub(super) fn hide_sessions(connection: &Connection) -> Result<()> {
    Ok(connection.execute_batch("ALTER TABLE session RENAME TO hidden_session")?)
}

/// Takes `hide_sessions` back.
pub(super) fn show_sessions(connection: &Connection) -> Result<()> {
    Ok(connection.execute_batch("ALTER TABLE hidden_session RENAME TO session")?)
}

/// A number that is another one after every transaction of another connection that wrote.
pub(super) fn version(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("PRAGMA data_version", [], |row| row.get(0))?)
}

/// What is stored: `state` (null before the first start), and `records` by path.
pub(super) fn rows(connection: &Connection, names: &Names) -> Result<Value> {
    let started: i64 = connection.query_row("SELECT count(*) FROM registry", [], |r| r.get(0))?;
    let ids = column(
        connection,
        "SELECT id FROM workspace ORDER BY position",
        None,
    )?;
    let archived = column(
        connection,
        "SELECT session FROM archived ORDER BY position",
        None,
    )?;
    let state = json!({
        "initialized": true,
        "workspaceIds": ids.iter().map(|id| names.name(id)).collect::<Vec<_>>(),
        "archivedSessionIds": archived,
    });
    let mut records = Vec::new();
    let mut statement =
        connection.prepare("SELECT id, path, title FROM workspace ORDER BY path")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let id: String = row.get(0)?;
        let sql = "SELECT session FROM attachment WHERE workspace = ? ORDER BY position";
        records.push(json!({
            "path": row.get::<_, String>(1)?,
            "title": row.get::<_, String>(2)?,
            "sessions": column(connection, sql, Some(&id))?,
        }));
    }
    let state = (started > 0).then_some(state);
    Ok(json!({"state": state, "records": records}))
}

fn column(connection: &Connection, sql: &str, of: Option<&str>) -> Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let found = statement.query_map(rusqlite::params_from_iter(of), |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}
