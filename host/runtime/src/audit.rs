//! What is written down: every decision, denial, grant and publication, as one structured
//! event each. Never the content of a file.

use serde::Serialize;

/// One event of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Record<'a> {
    /// The label of the session.
    pub session: Option<&'a str>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event<'a>,
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
        /// The tool that was running.
        tool: &'a str,
        /// What the component named as the target.
        key: &'a str,
        /// What was wrong.
        reason: &'static str,
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
    /// A file was changed.
    Published {
        /// The tool that was running.
        tool: &'static str,
        /// The canonical target.
        key: &'a str,
        /// `create` or `update`.
        operation: &'static str,
        /// The guard that was demanded.
        guard: &'static str,
        /// The version of the new content.
        version: &'a str,
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
        /// Why, as a code.
        code: &'static str,
    },
    /// The component broke, and its session has ended.
    Trapped {
        /// What was being called.
        tool: &'static str,
        /// How it broke.
        reason: &'a str,
    },
}

/// Where events go.
pub trait AuditSink: Send + Sync {
    /// Takes one event. It runs inside the call: a sink that writes to a slow place hands
    /// the event on and returns.
    fn record(&self, record: &Record<'_>);
}

/// Writes nothing down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl AuditSink for Silent {
    fn record(&self, _record: &Record<'_>) {}
}

/// Hands events to `tracing`, under the target `dsh_fs::audit`, as JSON in one field.
#[derive(Clone, Copy, Debug, Default)]
pub struct TracingSink;

impl AuditSink for TracingSink {
    fn record(&self, record: &Record<'_>) {
        if tracing::enabled!(target: "dsh_fs::audit", tracing::Level::INFO) {
            let json = serde_json::to_string(record).expect("an event is plain text and numbers");
            tracing::info!(target: "dsh_fs::audit", record = json.as_str());
        }
    }
}
