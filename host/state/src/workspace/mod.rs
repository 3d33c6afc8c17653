//! Workspaces: a canonical directory, a title, and the sessions that work there, in order.
//!
//! Every change is one transaction. The newest workspace comes first, and so does the
//! session that was attached last, until somebody moves them. A session whose directory is
//! not the workspace's any more is hidden, and removed by the next change.

mod archive;
mod bootstrap;
mod directory;
mod order;
mod record;
mod sessions;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::clock::now_ms;
use crate::error::StateError;
use crate::store::Store;

pub use record::{Status, Workspace};

/// The registry of workspaces. Several processes may use it at once.
#[derive(Clone, Debug)]
pub struct Workspaces {
    store: Store,
}

impl Store {
    /// The registry. Its first use makes a workspace of each directory in which sessions
    /// were started before.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn workspaces(&self) -> Result<Workspaces, StateError> {
        if !self.read(bootstrap::is_done)? {
            self.change(bootstrap::run)?;
        }
        Ok(Workspaces {
            store: self.clone(),
        })
    }
}

impl Workspaces {
    /// The workspace of a directory, made where there is none: as the first, with the last
    /// name of its path as its title where none is given. Another spelling of a directory
    /// finds the same workspace, and changes nothing of it.
    ///
    /// # Errors
    /// [`StateError::NoDirectory`]: there is no such directory. [`StateError::Failed`].
    pub fn create(&self, path: &str, title: Option<&str>) -> Result<Workspace, StateError> {
        let path = directory::canonical(path)?;
        self.store.change(|transaction| {
            if let Some(found) = record::by_path(transaction, &path)? {
                return Ok(found);
            }
            let title = title.unwrap_or_else(|| directory::last_name(&path));
            let id = record::insert(transaction, &path, title, now_ms())?;
            record::get(transaction, &id)
        })
    }

    /// A workspace by its id.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn get(&self, id: &str) -> Result<Option<Workspace>, StateError> {
        self.store.read(|transaction| record::find(transaction, id))
    }

    /// The workspace of an existing directory, by any spelling.
    ///
    /// # Errors
    /// [`StateError::NoDirectory`]: nothing is there. [`StateError::Failed`].
    pub fn resolve(&self, path: &str) -> Result<Option<Workspace>, StateError> {
        let path = directory::canonical_or_file(path)?;
        self.store
            .read(|transaction| record::by_path(transaction, &path))
    }

    /// Every workspace, in order.
    ///
    /// # Errors
    /// [`StateError::Failed`].
    pub fn list(&self) -> Result<Vec<Workspace>, StateError> {
        self.store.read(record::all)
    }

    /// Gives a workspace another title; any text is one.
    ///
    /// # Errors
    /// [`StateError::UnknownWorkspace`], [`StateError::Failed`].
    pub fn retitle(&self, id: &str, title: &str) -> Result<Workspace, StateError> {
        self.changed(id, |transaction, _| {
            let sql = "UPDATE workspace SET title = ? WHERE id = ?";
            transaction.execute(sql, [title, id])?;
            Ok(true)
        })
    }

    /// Whether the directory is there now. Changes nothing.
    ///
    /// # Errors
    /// [`StateError::UnknownWorkspace`], [`StateError::Failed`].
    pub fn status(&self, id: &str) -> Result<Status, StateError> {
        let workspace = self
            .store
            .read(|transaction| record::get(transaction, id))?;
        Ok(directory::status(&workspace.path))
    }

    /// Forgets a workspace. Its sessions stay, attached to none; files are not touched.
    ///
    /// # Errors
    /// [`StateError::UnknownWorkspace`], [`StateError::Failed`].
    pub fn delete(&self, id: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            record::get(transaction, id)?;
            transaction.execute("DELETE FROM workspace WHERE id = ?", [id])?;
            Ok(())
        })
    }

    /// Changes one workspace: hidden sessions are removed by it, and its stamp moves. Where
    /// the work tells that there was nothing to do, and none was removed, nothing is written.
    fn changed(
        &self,
        id: &str,
        work: impl FnOnce(&Transaction<'_>, &Workspace) -> Result<bool, StateError>,
    ) -> Result<Workspace, StateError> {
        self.store.change(|transaction| {
            let before = record::get(transaction, id)?;
            let pruned = sessions::prune(transaction, &before)?;
            if !(work(transaction, &before)? || pruned) {
                return Ok(before);
            }
            let sql = "UPDATE workspace SET updated_ms = max(?, updated_ms + 1) WHERE id = ?";
            transaction.execute(sql, params![now_ms(), id])?;
            record::get(transaction, id)
        })
    }
}

/// Attaches a session that was just made to the workspace of its directory, as the first.
pub(crate) fn attach_new(
    connection: &Connection,
    session: &str,
    cwd: &str,
) -> Result<(), StateError> {
    let workspace: Option<String> = connection
        .prepare_cached("SELECT id FROM workspace WHERE path = ?")?
        .query_row([cwd], |row| row.get(0))
        .optional()?;
    match workspace {
        Some(workspace) => sessions::put_first(connection, &workspace, session),
        None => Ok(()),
    }
}
