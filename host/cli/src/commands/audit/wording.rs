//! Records in the words of people.

use std::path::Path;

use super::Broken;
use super::entry::Entry;

/// Whether a record is good news, bad news, or something to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Done,
    Refused,
    Asked,
    Plain,
}

/// The tone of an event.
pub(super) fn tone(entry: &Entry) -> Tone {
    match entry.event() {
        "published" | "transaction-committed" => Tone::Done,
        "refused"
        | "call-failed"
        | "open-denied"
        | "question-refused"
        | "grant-refused"
        | "transaction-rolled-back"
        | "trapped"
        | "records-lost" => Tone::Refused,
        "asked" | "grant-issued" | "grant-remembered" | "grant-revoked" | "grant-used"
        | "mode-changed" => Tone::Asked,
        _ => Tone::Plain,
    }
}

/// What happened. An event of another version is shown by its name.
pub(super) fn what(entry: &Entry) -> String {
    let text = |name| entry.text(name);
    let (tool, mode, reason) = (text("tool"), text("mode"), text("reason"));
    match entry.event() {
        "session-started" if text("forked") == "true" => format!("sub-agent started under {mode}"),
        "session-started" => format!("session started under {mode}"),
        "mode-changed" => format!(
            "mode changed from {} to {} ({})",
            text("from"),
            text("to"),
            text("source")
        ),
        "open-denied" => format!("the component wanted {}: {reason}", text("asked")),
        "asked" => format!("{tool} asked for {mode}"),
        "question-refused" => format!("{tool}: nobody was asked, since {reason}"),
        "grant-issued" => format!("{tool} may make one change under {mode}"),
        "grant-remembered" => format!("{tool} may go on under {mode}, in this {}", text("scope")),
        "grant-revoked" => format!("{tool} may no more under {mode}, in this {}", text("scope")),
        "grant-used" => format!("{tool} used its permission for {mode}"),
        "grant-refused" => format!("{tool}: the permission is not good, since {reason}"),
        "published" => format!("{tool}: {}", text("operation")),
        "refused" => format!("{tool} refused under {mode}"),
        "call-failed" => format!("{tool} failed"),
        "looked" => format!("{tool}: {}", text("verb")),
        "confined" => confined(entry),
        "transaction-begun" => format!("{} began: {} files", transaction(entry), text("files")),
        "transaction-committed" => format!("{} done: {} files", transaction(entry), text("files")),
        "transaction-rolled-back" => format!(
            "{} rolled back: {} files restored, {} left",
            transaction(entry),
            text("restored"),
            text("left")
        ),
        "trapped" => format!("the component broke in {tool}: {reason}"),
        "records-lost" => format!("{} records could not be written", text("records")),
        _ => entry.text("event"),
    }
}

fn confined(entry: &Entry) -> String {
    let text = |name| entry.text(name);
    let mut what = format!(
        "command under {} by {}, {}",
        text("mode"),
        text("backend"),
        text("enforcement")
    );
    let reasons = entry.texts("reasons");
    if !reasons.is_empty() {
        what = format!("{what}: {}", reasons.join("; "));
    }
    what
}

fn transaction(entry: &Entry) -> String {
    format!("change {}", entry.text("transaction"))
}

/// What was no record.
pub(super) fn broken(broken: &Broken) -> String {
    match broken.count {
        1 => format!("1 line is no record (line {})", broken.first),
        count => format!(
            "{count} lines are no records (the first is line {})",
            broken.first
        ),
    }
}

/// The page is there.
pub(super) fn page_written(rows: u64, out: &Path) -> String {
    format!("{}: {}", out.display(), records(rows))
}

/// A number of records.
pub(super) fn records(count: u64) -> String {
    match count {
        1 => "1 record".into(),
        count => format!("{count} records"),
    }
}
