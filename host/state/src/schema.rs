//! The tables, and how older layouts become this one.

use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as ours (`dshf`).
pub(crate) const APPLICATION: i64 = 0x6473_6866;

/// Each layout from the one before it. A published step is never changed.
const STEPS: [&str; 3] = [
    "
    CREATE TABLE session (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        cwd TEXT NOT NULL,
        seed_low INTEGER NOT NULL,
        seed_high INTEGER NOT NULL,
        default_mode TEXT NOT NULL,
        parent TEXT,
        created_ms INTEGER NOT NULL,
        used_ms INTEGER NOT NULL,
        generation INTEGER NOT NULL DEFAULT 0,
        changes TEXT NOT NULL DEFAULT ''
    ) STRICT;

    CREATE TABLE mode_event (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
        mode TEXT NOT NULL,
        source TEXT NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX mode_event_of ON mode_event(session, id);

    CREATE TABLE page (
        session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (session, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE remembered_grant (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        scope TEXT NOT NULL CHECK (scope IN ('session', 'workspace')),
        owner TEXT NOT NULL,
        tool TEXT NOT NULL,
        key TEXT NOT NULL,
        mode TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        UNIQUE (scope, owner, tool, key, mode)
    ) STRICT;

    CREATE TABLE workspace (
        id TEXT PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        position INTEGER NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE attachment (
        session TEXT PRIMARY KEY,
        workspace TEXT NOT NULL REFERENCES workspace(id) ON DELETE CASCADE,
        position INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX attachment_of ON attachment(workspace, position);

    CREATE TABLE registry (
        id INTEGER PRIMARY KEY CHECK (id = 1)
    ) STRICT;

    CREATE TABLE archived (
        session TEXT PRIMARY KEY,
        position INTEGER NOT NULL
    ) STRICT;
",
    "
    ALTER TABLE session ADD COLUMN whole_since INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE page ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
",
    // A permission of before was given for a path: it fits no directory, and is asked for again.
    "
    ALTER TABLE remembered_grant ADD COLUMN place TEXT NOT NULL DEFAULT '';
",
];

/// The layout that this release writes.
pub(crate) const LAYOUT: i64 = STEPS.len() as i64;

/// What is in a file.
pub(crate) struct Found {
    pub(crate) application: i64,
    pub(crate) layout: i64,
    pub(crate) empty: bool,
}

/// Looks without changing anything.
pub(crate) fn look(connection: &Connection) -> rusqlite::Result<Found> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    Ok(Found {
        application: number("PRAGMA application_id")?,
        layout: number("PRAGMA user_version")?,
        empty: number("SELECT count(*) FROM sqlite_schema")? == 0,
    })
}

/// Brings the layout up to this one, in one transaction; of several processes that start
/// at once one does it.
pub(crate) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if look(connection)?.layout == LAYOUT {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = look(&transaction)?.layout;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", LAYOUT)?;
    transaction.commit()
}
