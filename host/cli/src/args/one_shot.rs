//! One tool call on the command line, in a session that lasts.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{ApproveArg, Components, Deployment, Keeping, ModeArg};
use crate::session;

/// The session of one call, and how it is answered.
#[derive(ClapArgs)]
pub(crate) struct Caller {
    /// The session: what it has seen before counts
    #[arg(long, value_name = "NAME", value_parser = session::name)]
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    #[command(flatten)]
    pub(crate) keeping: Keeping,
    /// Who answers when wider permissions are asked for
    #[arg(long, value_enum, default_value_t = ApproveArg::Ask)]
    pub(crate) approve: ApproveArg,
    #[command(flatten)]
    pub(crate) components: Components,
    /// Print the answer as JSON in place of what a model reads
    #[arg(long)]
    pub(crate) json: bool,
}

/// Wider permissions for one call: both or neither.
#[derive(ClapArgs)]
pub(crate) struct Wider {
    /// Ask for a wider mode, for this one call
    #[arg(long, value_name = "MODE", requires = "justification")]
    pub(crate) sandbox_permissions: Option<ModeArg>,
    /// Why it is needed; the person who is asked sees it
    #[arg(long, value_name = "TEXT", requires = "sandbox_permissions")]
    pub(crate) justification: Option<String>,
}

#[derive(ClapArgs)]
#[command(after_help = "Example:\n  dsh-fs read --session me src/main.rs --offset 10 --limit 20")]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) caller: Caller,
    /// The file
    pub(crate) file: String,
    /// The first line, counted from 1
    #[arg(long, value_name = "LINE")]
    pub(crate) offset: Option<i64>,
    /// The most lines
    #[arg(long, value_name = "LINES")]
    pub(crate) limit: Option<i64>,
    /// The character of the first line to begin at, counted from 1
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) column: Option<i64>,
}

#[derive(ClapArgs)]
#[command(
    after_help = "Example:\n  echo text | dsh-fs write --session me --mode workspace-write new.txt"
)]
pub(crate) struct WriteArgs {
    #[command(flatten)]
    pub(crate) caller: Caller,
    #[command(flatten)]
    pub(crate) wider: Wider,
    /// The file
    pub(crate) file: String,
    /// The content; without it, standard input is taken whole
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) content: Option<String>,
}

#[derive(ClapArgs)]
#[command(
    after_help = "Example:\n  dsh-fs edit --session me --mode workspace-write a.txt --old one --new two"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) caller: Caller,
    #[command(flatten)]
    pub(crate) wider: Wider,
    /// The file
    pub(crate) file: String,
    /// The text to find: literal
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) old: String,
    /// The text to put in its place
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) new: String,
    /// Replace every occurrence; otherwise there must be exactly one
    #[arg(long)]
    pub(crate) replace_all: bool,
}

#[derive(ClapArgs)]
#[command(after_help = MULTI_EDIT_HELP)]
pub(crate) struct MultiEditArgs {
    #[command(flatten)]
    pub(crate) caller: Caller,
    #[command(flatten)]
    pub(crate) wider: Wider,
    /// A file with the edits as JSON; without it, standard input is taken
    pub(crate) edits: Option<PathBuf>,
}

const MULTI_EDIT_HELP: &str = r#"The edits, all of them or none are made:
  [{"file_path":"a.txt","old_string":"one","new_string":"two"},
   {"file_path":"b.txt","old_string":"x","new_string":"y","replace_all":true}]"#;

#[derive(ClapArgs)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) caller: Caller,
    /// The directory [default: the workspace]
    pub(crate) folder: Option<String>,
    /// The first entry, counted from 1
    #[arg(long, value_name = "ENTRY")]
    pub(crate) offset: Option<i64>,
    /// The most entries
    #[arg(long, value_name = "ENTRIES")]
    pub(crate) limit: Option<i64>,
}

#[derive(ClapArgs)]
pub(crate) struct UndoArgs {
    #[command(flatten)]
    pub(crate) caller: Caller,
    #[command(flatten)]
    pub(crate) wider: Wider,
}
