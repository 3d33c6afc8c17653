//! `dsh-fs grant`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::Database;

#[derive(ClapArgs)]
pub(crate) struct GrantArgs {
    #[command(subcommand)]
    pub(crate) action: GrantAction,
}

#[derive(Subcommand)]
pub(crate) enum GrantAction {
    /// List what persons allowed for a session or a workspace, oldest first
    List(Database),
    /// Take one of them back: it counts from the next question on
    Revoke {
        #[command(flatten)]
        database: Database,
        /// Append that it was taken back to this file, as JSON lines
        #[arg(long, value_name = "FILE")]
        audit: Option<PathBuf>,
        /// The number, as `list` shows it
        id: i64,
    },
}
