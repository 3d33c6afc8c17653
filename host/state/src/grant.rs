//! Permissions that a person gave for a session or a workspace.
//!
//! A row is no permission by itself: the host asks for it and issues a one-shot permission
//! from it, bound as every other one.

use dsh_fs::types::Mode;
use rusqlite::{OptionalExtension, Row, params};

use crate::clock::now_ms;
use crate::error::StateError;
use crate::mode;
use crate::store::Store;

/// Whom a person allowed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One session, by name. It ends with the session, and no fork inherits it.
    Session(String),
    /// Every session of a workspace, by the canonical root.
    Workspace(String),
}

impl Scope {
    /// `session` or `workspace`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Session(_) => "session",
            Self::Workspace(_) => "workspace",
        }
    }

    /// The name of the session, or the root of the workspace.
    #[must_use]
    pub fn owner(&self) -> &str {
        match self {
            Self::Session(owner) | Self::Workspace(owner) => owner,
        }
    }
}

/// What a person allowed: this tool, this target, this mode, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGrant {
    /// To whom.
    pub scope: Scope,
    /// Which directory the workspace was, by whatever tells it from another one that has its
    /// path later. Not empty.
    pub place: String,
    /// The tool.
    pub tool: String,
    /// The canonical target; of a command, its line.
    pub key: String,
    /// The mode.
    pub mode: Mode,
}

/// A remembered permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRecord {
    /// Its number, never given twice.
    pub id: i64,
    /// What was allowed.
    pub grant: NewGrant,
    /// When, in milliseconds since 1970.
    pub created_ms: i64,
    /// How often it was used.
    pub used: u64,
}

const SELECT: &str =
    "SELECT id, scope, owner, tool, key, mode, created_ms, used, place FROM remembered_grant";

impl Store {
    /// Remembers a permission; one that is known already is that one. One that was given for
    /// another directory of the same path is gone then.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn remember_grant(&self, new: &NewGrant) -> Result<GrantRecord, StateError> {
        let fields = [
            new.scope.kind(),
            new.scope.owner(),
            &new.tool,
            &new.key,
            new.mode.name(),
            &new.place,
        ];
        self.change(|transaction| {
            let sql = "DELETE FROM remembered_grant WHERE scope = ? AND owner = ? AND tool = ?
                AND key = ? AND mode = ? AND place <> ?";
            transaction.execute(sql, fields)?;
            let sql = "INSERT INTO remembered_grant
                (scope, owner, tool, key, mode, place, created_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
            let [scope, owner, tool, key, mode, place] = fields;
            transaction.execute(sql, params![scope, owner, tool, key, mode, place, now_ms()])?;
            let sql = format!(
                "{SELECT} WHERE scope = ? AND owner = ? AND tool = ? AND key = ? AND mode = ?
                AND place = ?"
            );
            Ok(transaction.query_row(&sql, fields, read)?)
        })
    }

    /// The remembered permission for exactly this, and counts its use: that of the session
    /// before that of the workspace. `place` is the workspace as [`NewGrant::place`] tells it.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn use_grant(
        &self,
        session: &str,
        workspace_root: &str,
        place: &str,
        tool: &str,
        key: &str,
        mode: Mode,
    ) -> Result<Option<GrantRecord>, StateError> {
        let sql = format!(
            "{SELECT} WHERE tool = ?1 AND key = ?2 AND mode = ?3 AND place = ?6
            AND ((scope = 'session' AND owner = ?4) OR (scope = 'workspace' AND owner = ?5))
            ORDER BY scope LIMIT 1"
        );
        let fields = [tool, key, mode.name(), session, workspace_root, place];
        // Nearly always there is none, and then nothing needs to be written.
        let found = self.read(|transaction| {
            let found = transaction.prepare_cached(&sql)?.query_row(fields, read);
            Ok(found.optional()?)
        })?;
        if found.is_none() {
            return Ok(None);
        }
        self.change(|transaction| {
            let Some(found) = transaction.query_row(&sql, fields, read).optional()? else {
                return Ok(None);
            };
            let sql = "UPDATE remembered_grant SET used = used + 1 WHERE id = ?";
            transaction.execute(sql, [found.id])?;
            Ok(Some(GrantRecord {
                used: found.used + 1,
                ..found
            }))
        })
    }

    /// Every remembered permission, oldest first.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn grants(&self) -> Result<Vec<GrantRecord>, StateError> {
        self.read(|transaction| {
            let mut statement = transaction.prepare_cached(&format!("{SELECT} ORDER BY id"))?;
            let grants = statement.query_map([], read)?;
            Ok(grants.collect::<Result<_, _>>()?)
        })
    }

    /// Takes a permission back, and answers it; nothing where there was none.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn revoke_grant(&self, id: i64) -> Result<Option<GrantRecord>, StateError> {
        self.change(|transaction| {
            let sql = "DELETE FROM remembered_grant WHERE id = ?
                RETURNING id, scope, owner, tool, key, mode, created_ms, used, place";
            Ok(transaction.query_row(sql, [id], read).optional()?)
        })
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<GrantRecord> {
    let scope: String = row.get(1)?;
    let owner = row.get(2)?;
    Ok(GrantRecord {
        id: row.get(0)?,
        grant: NewGrant {
            scope: match scope.as_str() {
                "session" => Scope::Session(owner),
                _ => Scope::Workspace(owner),
            },
            place: row.get(8)?,
            tool: row.get(3)?,
            key: row.get(4)?,
            mode: mode::stored(&row.get::<_, String>(5)?),
        },
        created_ms: row.get(6)?,
        used: row.get::<_, i64>(7)?.cast_unsigned(),
    })
}
