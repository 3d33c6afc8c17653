//! `dsh-fs session`.

use clap::{Args as ClapArgs, Subcommand};

use super::{Database, ModeArg};
use crate::session;

#[derive(ClapArgs)]
pub(crate) struct SessionArgs {
    #[command(subcommand)]
    pub(crate) action: SessionAction,
}

#[derive(Subcommand)]
pub(crate) enum SessionAction {
    /// List the sessions, the last used first
    List(Database),
    /// Show one session and the modes that it was given
    Show(NamedSession),
    /// Give a session a mode: it counts from its next call on, in every process
    Mode {
        #[command(flatten)]
        named: NamedSession,
        /// The mode
        mode: ModeArg,
    },
    /// Begin a session for a sub-agent: it has seen what the other has seen, and has its mode
    ///
    /// It has no permission that a person gave the other one, and nothing to take back.
    Fork {
        #[command(flatten)]
        named: NamedSession,
        /// The name of the new session
        #[arg(value_parser = session::name)]
        child: String,
    },
    /// Forget a session: what it has seen, and what a person allowed it
    Forget(NamedSession),
}

/// One session of the database.
#[derive(ClapArgs)]
pub(crate) struct NamedSession {
    #[command(flatten)]
    pub(crate) database: Database,
    /// The session
    #[arg(value_parser = session::name)]
    pub(crate) name: String,
}
