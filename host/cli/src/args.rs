//! The command line.

mod exec;
mod grant;
mod keeping;
mod one_shot;
mod session;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use dsh_fs::types::Mode;

pub(crate) use self::session::{NamedSession, SessionAction, SessionArgs};
pub(crate) use exec::ExecArgs;
pub(crate) use grant::{GrantAction, GrantArgs};
pub(crate) use keeping::{Database, Keeping};
pub(crate) use one_shot::{
    Caller, EditArgs, ListArgs, MultiEditArgs, ReadArgs, UndoArgs, Wider, WriteArgs,
};
pub(crate) use workspace::{NamedWorkspace, WorkspaceAction, WorkspaceArgs};

use crate::{exit, session as names};

/// Guarded file access for coding agents.
///
/// An agent may change only what it has seen, as it has seen it, and only where the mode
/// allows. Try `dsh-fs demo` first.
#[derive(Parser)]
#[command(name = "dsh-fs", bin_name = "dsh-fs", version, after_help = exit::TABLE, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Answer tool calls, one JSON object a line
    Run(RunArgs),
    /// Serve the tools to an agent, as an MCP server on standard input and output
    Mcp(McpArgs),
    /// Read a part of a file, in a session that lasts
    Read(ReadArgs),
    /// Write a whole file, in a session that lasts
    Write(WriteArgs),
    /// Replace text in a file, in a session that lasts
    Edit(EditArgs),
    /// Make several edits or none, in a session that lasts
    MultiEdit(MultiEditArgs),
    /// List a directory, in a session that lasts
    List(ListArgs),
    /// Take back the last change of a session that lasts
    Undo(UndoArgs),
    /// Run a command under the policy of the file tools
    Exec(ExecArgs),
    /// Look at the sessions that last, or change them
    Session(SessionArgs),
    /// Look at workspaces, or change them and their sessions
    Workspace(WorkspaceArgs),
    /// Look at what persons allowed for longer than one call, or take it back
    Grant(GrantArgs),
    /// Give up rights, then become a command: what `exec` and the tool bash start under
    /// Landlock
    #[command(hide = true)]
    LandlockExec {
        /// What is left, and the command
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Walk through a guarded session in a temporary folder
    Demo,
    /// Show the resolved policy and the writable roots
    Policy(PolicyArgs),
    /// Show what this machine, and the file system of a folder, can enforce
    Doctor(DoctorArgs),
    /// Show the components in use: size, digest, imports and exports
    Component(ComponentArgs),
    /// Show what was written down of sessions, as a timeline
    Audit(AuditArgs),
    /// Print completions for a shell
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
}

/// The components to run.
#[derive(ClapArgs, Clone, Default)]
pub(crate) struct Components {
    /// Compose this gate in place of the shipped one; given again, it asks the one after it
    ///
    /// A gate that asks a next one asks the one that is named after it, and the last one
    /// asks the shipped gate.
    #[arg(long, value_name = "FILE", conflicts_with = "component")]
    pub(crate) gate: Vec<PathBuf>,
    /// Load this component in place of the shipped one, toolbox and gate in one
    #[arg(long, value_name = "FILE")]
    pub(crate) component: Option<PathBuf>,
}

/// The policy of the deployment.
#[derive(ClapArgs, Clone, Default)]
pub(crate) struct Deployment {
    /// The directory to work in; relative paths start here [default: that of --config, else .]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// What mutations may touch [default: that of --config, else read-only]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// The policy of the deployment, a TOML file; other options can then only narrow it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Keep /tmp and the platform's temporary directory out of the writable roots
    #[arg(long)]
    pub(crate) no_temp_roots: bool,
}

#[derive(ClapArgs)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// The session of calls that name none: it lasts, and goes on where it was left
    ///
    /// Without it that session is `main`, and none of this run outlives it.
    #[arg(long, value_name = "NAME", value_parser = names::name)]
    pub(crate) session: Option<String>,
    /// Let no session of this run outlive it
    #[arg(long)]
    pub(crate) ephemeral: bool,
    #[command(flatten)]
    pub(crate) keeping: Keeping,
    /// Who answers when a call asks for wider permissions
    #[arg(long, value_enum, default_value_t = ApproveArg::Never)]
    pub(crate) approve: ApproveArg,
    /// Accept mutations without a guard, when the gate asks for that
    #[arg(long)]
    pub(crate) bare: bool,
    /// Write to files in place that cannot be replaced, in place of refusing them
    ///
    /// These are files with several hard links, files that something is mounted on, and
    /// writable files in directories where nothing can be made. What is given up: a crash
    /// half way leaves neither the old content nor the new, and the change reaches every
    /// other name of the file, also outside the writable roots. Such changes have the grade
    /// best-effort, and say so.
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Keep no old texts: stale errors then tell sizes and times only, and undo takes back
    /// creations only
    #[arg(long)]
    pub(crate) no_history: bool,
    #[command(flatten)]
    pub(crate) components: Components,
    /// Read calls from this file instead of standard input
    pub(crate) file: Option<PathBuf>,
}

const RUN_HELP: &str = r#"A call, one a line:
  {"id":1,"tool":"read","args":{"file_path":"src/main.rs","offset":1,"limit":200}}
  {"id":2,"tool":"edit","args":{"file_path":"src/main.rs","old_string":"a","new_string":"b"}}
  {"id":3,"tool":"write","args":{"file_path":"new.txt","content":"text\n"}}
  {"id":4,"tool":"list","args":{"file_path":"src"}}
  {"id":5,"tool":"undo"}
  "session":"name" picks another session; "sandbox_permissions" and "justification" in the
  arguments of write, edit and undo ask for a wider mode. undo takes back the last change of
  the session, and the one before when called again: the file has its former content, or is
  removed if the change created it; it is refused where the file was changed since. Old texts are kept in $XDG_STATE_HOME/dsh-fs/history, readable by you alone, 64 MiB
  and 7 days at most; only texts that a change displaced are put there.

An answer, one a line:
  {"id":1,"ok":true,"text":"what the model reads","value":{...}}
  {"id":2,"ok":false,"code":"FS_NOT_OBSERVED","text":"what the model reads"}"#;

#[derive(ClapArgs)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// The session that the client works in: it lasts, and goes on where it was left
    ///
    /// Without it the session is `main`, and ends with the client, as does an answer for the
    /// session or the workspace.
    #[arg(long, value_name = "NAME", value_parser = names::name)]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) keeping: Keeping,
    /// Who answers when a call asks for wider permissions; "ask" asks the person at the
    /// client, where the client can do that (MCP elicitation)
    #[arg(long, value_enum, default_value_t = ApproveArg::Ask)]
    pub(crate) approve: ApproveArg,
    /// Let mutations leave the roots that the client names; the mode still holds
    #[arg(long)]
    pub(crate) ignore_client_roots: bool,
    /// Write to files in place that cannot be replaced; see `dsh-fs run --help`
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Keep no old texts: stale errors then tell sizes and times only, and undo is refused
    #[arg(long)]
    pub(crate) no_history: bool,
    #[command(flatten)]
    pub(crate) components: Components,
}

#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    pub(crate) action: Option<PolicyAction>,
    #[command(flatten)]
    pub(crate) deployment: Deployment,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum PolicyAction {
    /// Check the file of a deployment, and show what it resolves to here
    ///
    /// Every problem is told with its line, its column and a code; the exit code is then 6.
    Check(CheckArgs),
    /// Print the JSON Schema of the file, for editors
    Schema,
}

#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    /// The TOML file
    pub(crate) file: PathBuf,
    /// Print JSON, the problems too
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct DoctorArgs {
    /// The folder whose file system is probed [default: the temporary directory]; files are
    /// made there and removed
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ComponentArgs {
    #[command(flatten)]
    pub(crate) components: Components,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct AuditArgs {
    /// The file, with one JSON object a line
    pub(crate) file: PathBuf,
    /// Show the records of this session
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Show the records about a path that has this in it
    #[arg(long, value_name = "TEXT")]
    pub(crate) path: Option<String>,
    /// Show the records that ended so: a code, an answer, a verdict or a grade
    #[arg(long)]
    pub(crate) code: Option<String>,
    /// Print the records as they stand, one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page for a browser: everything is in it, and nothing is fetched
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    pub(crate) html: Option<PathBuf>,
}

/// A mode, as it is spelled on every surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// No mutation at all
    ReadOnly,
    /// Mutations beneath the writable roots
    WorkspaceWrite,
    /// Mutations anywhere
    DangerFullAccess,
}

impl ModeArg {
    /// The name, as a model spells it.
    pub(crate) fn name(self) -> &'static str {
        Mode::from(self).name()
    }
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::ReadOnly => Self::ReadOnly,
            ModeArg::WorkspaceWrite => Self::WorkspaceWrite,
            ModeArg::DangerFullAccess => Self::DangerFullAccess,
        }
    }
}

/// Who answers an escalation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApproveArg {
    /// Nobody: every escalation is refused
    Never,
    /// Everything is approved, without asking
    Always,
    /// A person, on the terminal
    Ask,
}
