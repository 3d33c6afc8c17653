//! Who takes the events.

use std::sync::Arc;

use super::Record;

/// Where events go.
pub trait AuditSink: Send + Sync {
    /// Takes one event. It runs inside the call: a sink that writes to a slow place hands
    /// the event on and returns.
    fn record(&self, record: &Record<'_>);

    /// Whether anybody wants events now; where nobody does, none are made.
    fn is_enabled(&self) -> bool {
        true
    }

    /// Waits for what it has taken so far, and says whether all of that is written down. A
    /// sink that cannot know says yes.
    fn is_written(&self) -> bool {
        true
    }
}

/// Writes nothing down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl AuditSink for Silent {
    fn record(&self, _record: &Record<'_>) {}

    fn is_enabled(&self) -> bool {
        false
    }
}

/// Hands events to `tracing`, under the target `dsh_fs::audit`, as JSON in one field.
#[derive(Clone, Copy, Debug, Default)]
pub struct TracingSink;

impl AuditSink for TracingSink {
    fn record(&self, record: &Record<'_>) {
        let json = serde_json::to_string(record).expect("an event is plain text and numbers");
        tracing::info!(target: "dsh_fs::audit", record = json.as_str());
    }

    fn is_enabled(&self) -> bool {
        tracing::enabled!(target: "dsh_fs::audit", tracing::Level::INFO)
    }
}

/// Hands every event to two sinks, the first one first.
#[derive(Clone)]
pub struct Both(pub Arc<dyn AuditSink>, pub Arc<dyn AuditSink>);

impl AuditSink for Both {
    fn record(&self, record: &Record<'_>) {
        for sink in [&self.0, &self.1] {
            if sink.is_enabled() {
                sink.record(record);
            }
        }
    }

    fn is_enabled(&self) -> bool {
        self.0.is_enabled() || self.1.is_enabled()
    }

    fn is_written(&self) -> bool {
        self.0.is_written() & self.1.is_written()
    }
}
