//! `dsh-fs workspace`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::Database;

#[derive(ClapArgs)]
pub(crate) struct WorkspaceArgs {
    #[command(subcommand)]
    pub(crate) action: WorkspaceAction,
}

/// One workspace of the database.
#[derive(ClapArgs)]
pub(crate) struct NamedWorkspace {
    #[command(flatten)]
    pub(crate) database: Database,
    /// The id, as `list` shows it
    pub(crate) id: String,
}

#[derive(Subcommand)]
pub(crate) enum WorkspaceAction {
    /// List the workspaces, in their order
    List(Database),
    /// Make a directory a workspace; one that is one already is shown
    Create {
        #[command(flatten)]
        database: Database,
        /// The directory
        folder: PathBuf,
        /// The title [default: the name of the directory]
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
    },
    /// Show one workspace and its sessions
    Show(NamedWorkspace),
    /// Give a workspace another title
    Rename {
        #[command(flatten)]
        named: NamedWorkspace,
        /// The title
        title: String,
    },
    /// Put a session into a workspace; their directories must be the same
    Attach {
        #[command(flatten)]
        named: NamedWorkspace,
        /// The session
        session: String,
    },
    /// Take a session out of a workspace
    Detach {
        #[command(flatten)]
        named: NamedWorkspace,
        /// The session
        session: String,
    },
    /// Move a session, or without one the workspace itself, before another or to the end
    Reorder {
        #[command(flatten)]
        named: NamedWorkspace,
        /// The session that is moved
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
        /// Where to: before this session, or before the workspace of this id
        #[arg(long, value_name = "NAME|ID")]
        before: Option<String>,
    },
    /// Archive a session
    Archive {
        #[command(flatten)]
        database: Database,
        /// The session
        session: String,
    },
    /// Take a session out of the archive
    Unarchive {
        #[command(flatten)]
        database: Database,
        /// The session
        session: String,
    },
    /// Forget a workspace; its directory and its sessions stay
    Delete(NamedWorkspace),
    /// Find the workspace of a directory
    Resolve {
        #[command(flatten)]
        database: Database,
        /// The directory, in any spelling
        folder: PathBuf,
    },
}
