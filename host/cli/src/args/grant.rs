//! `dsh-fs grant`.

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
        /// The number, as `list` shows it
        id: i64,
    },
}
