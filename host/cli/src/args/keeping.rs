//! Where sessions are kept, and what is written down of them.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Where sessions are kept, and what is written down of them.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct Keeping {
    /// The database of sessions, grants and workspaces
    /// [default: $XDG_STATE_HOME/dsh-fs/state.db]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Append what is decided, denied, granted and published to this file, as JSON lines
    ///
    /// Keep it where no agent writes. What could not be written is counted and told, and the
    /// program then ends with 1 at best.
    #[arg(long, value_name = "FILE")]
    pub(crate) audit: Option<PathBuf>,
}

/// The database alone, for commands that look into it.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct Database {
    /// The database of sessions, grants and workspaces
    /// [default: $XDG_STATE_HOME/dsh-fs/state.db]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
