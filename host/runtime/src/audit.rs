//! What is written down: every decision, denial, grant and publication, as one structured
//! event each. Never the content of a file, never a value of the environment, and not the
//! justification of a model either.

mod bounded;
mod json_lines;
mod sink;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};

pub use json_lines::JsonLines;
pub use sink::{AuditSink, Both, Silent, TracingSink};

/// How many records this process has made.
static MADE: AtomicU64 = AtomicU64::new(0);

/// One event, with when and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Record<'a> {
    /// When it was made; RFC 3339 in UTC with milliseconds, as JSON.
    #[serde(serialize_with = "rfc_3339")]
    pub time: SystemTime,
    /// The process that made it.
    pub process: u32,
    /// Its number among all records of that process, counted from 1: a number that is
    /// nowhere is a record that went to another sink, or was lost.
    pub seq: u64,
    /// The label of the session.
    pub session: Option<&'a str>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event<'a>,
}

impl<'a> Record<'a> {
    /// A record of now, with the next number.
    #[must_use]
    pub fn now(session: Option<&'a str>, event: Event<'a>) -> Self {
        Self {
            time: SystemTime::now(),
            process: std::process::id(),
            seq: MADE.fetch_add(1, Ordering::Relaxed) + 1,
            session,
            event,
        }
    }
}

fn rfc_3339<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    let time = DateTime::<Utc>::from(*time);
    serializer.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A session began.
    SessionStarted {
        /// Its mode.
        mode: &'static str,
        /// The canonical workspace root.
        root: &'a str,
        /// Whether it is a sub-agent's.
        forked: bool,
    },
    /// A person, or the embedder for one, changed the mode.
    ModeChanged {
        /// Before.
        from: &'static str,
        /// From here on.
        to: &'static str,
        /// Who said so.
        source: &'static str,
    },
    /// The component asked for more than the host allows this session.
    OpenDenied {
        /// The mode it asked for.
        asked: &'static str,
        /// The mode of the session.
        ceiling: &'static str,
        /// What was wrong.
        reason: &'static str,
    },
    /// A person was asked, and answered.
    Asked {
        /// The tool that was running.
        tool: &'static str,
        /// The canonical target.
        key: &'a str,
        /// The mode asked for.
        mode: &'static str,
        /// The answer.
        decision: &'static str,
    },
    /// A question was not put to a person, because the component may not ask it.
    QuestionRefused {
        /// The tool, as the component named it.
        #[serde(serialize_with = "bounded::text")]
        tool: &'a str,
        /// What the component named as the target.
        #[serde(serialize_with = "bounded::text")]
        key: &'a str,
        /// What was wrong.
        reason: &'static str,
    },
    /// A grant was given to the component, for one mutation.
    GrantIssued {
        /// The tool that was running.
        tool: &'static str,
        /// The canonical target.
        key: &'a str,
        /// The mode granted.
        mode: &'static str,
        /// The answer that it rests on: of now, or one that was remembered.
        decision: &'static str,
    },
    /// An answer of a person is kept, for the session or for the workspace.
    GrantRemembered {
        /// The tool that it is for.
        tool: &'a str,
        /// The canonical target.
        key: &'a str,
        /// The mode granted.
        mode: &'static str,
        /// `session` or `workspace`.
        scope: &'static str,
    },
    /// An answer that was kept is kept no more.
    GrantRevoked {
        /// The tool that it was for.
        tool: &'a str,
        /// The canonical target.
        key: &'a str,
        /// The mode granted.
        mode: &'static str,
        /// `session` or `workspace`.
        scope: &'static str,
    },
    /// A grant was used up.
    GrantUsed {
        /// The tool that was running.
        tool: &'static str,
        /// The canonical target.
        key: &'a str,
        /// The mode granted.
        mode: &'static str,
    },
    /// A grant was presented that is not good for this.
    GrantRefused {
        /// The tool that was running.
        tool: &'static str,
        /// What was wrong.
        reason: &'static str,
    },
    /// A file was changed, or removed.
    Published {
        /// The tool that was running.
        tool: &'static str,
        /// The canonical target.
        key: &'a str,
        /// `create`, `update` or `remove`.
        operation: &'static str,
        /// The guard that was demanded.
        guard: &'static str,
        /// The version of the new content; none after a removal.
        version: Option<&'a str>,
        /// The version that was displaced.
        previous: Option<&'a str>,
        /// How firmly the guard held.
        grade: &'static str,
    },
    /// A mutation was refused, or failed.
    Refused {
        /// The tool that was running.
        tool: &'static str,
        /// The target, as the component named it.
        #[serde(serialize_with = "bounded::text")]
        key: &'a str,
        /// The mode of the handle.
        mode: &'static str,
        /// The guard that was demanded.
        guard: &'static str,
        /// Why, as one of the thirteen codes.
        code: &'static str,
    },
    /// Changes that stand or fall together failed, and were taken back.
    TakenBack {
        /// The tool that was running.
        tool: &'static str,
        /// How many files have their former bytes again.
        restored: usize,
        /// How many were left as they are: somebody changed them, or they cannot be written.
        left: usize,
    },
    /// A tool call failed, by a decision of the gate or of the provider.
    CallFailed {
        /// The tool.
        tool: &'static str,
        /// The path as shown, where it was about one: that of the failure, else the
        /// canonical one of the file that the call names.
        #[serde(serialize_with = "bounded::optional")]
        path: Option<&'a str>,
        /// Why, as a code.
        code: &'static str,
    },
    /// Something was read or listed; written down only where
    /// [`audit_reads`](crate::SessionOptions::audit_reads) says so.
    Looked {
        /// The tool that was running.
        tool: &'static str,
        /// What the component did: `read` or `list`.
        verb: &'static str,
        /// The target, as the component named it.
        #[serde(serialize_with = "bounded::text")]
        key: &'a str,
        /// Why not, as one of the thirteen codes.
        code: Option<&'static str>,
    },
    /// A command was run, or was to be run, under a policy.
    Confined {
        /// The mode that was to be enforced.
        mode: &'static str,
        /// What enforced it.
        backend: &'a str,
        /// How much of the policy it could express.
        enforcement: &'a str,
        /// What it could not express.
        reasons: &'a [String],
        /// What became of the command.
        verdict: &'a str,
    },
    /// A change of several files began.
    TransactionBegun {
        /// Its name in the journal.
        transaction: &'a str,
        /// How many files.
        files: usize,
    },
    /// All of its files were published.
    TransactionCommitted {
        /// Its name in the journal.
        transaction: &'a str,
        /// How many files.
        files: usize,
    },
    /// It failed or was cut short, and its files were put back.
    TransactionRolledBack {
        /// Its name in the journal.
        transaction: &'a str,
        /// How many files have their former content again.
        restored: usize,
        /// How many were left, because somebody changed them since.
        left: usize,
        /// Why, as a code; nothing where it was found after a crash.
        code: Option<&'static str>,
    },
    /// Records could not be written; the numbers in this file have a gap.
    RecordsLost {
        /// How many.
        records: u64,
    },
    /// The component broke, and its session has ended.
    Trapped {
        /// What was being called.
        tool: &'static str,
        /// How it broke.
        #[serde(serialize_with = "bounded::text")]
        reason: &'a str,
    },
}
