//! What is written down of a session, and what never is.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Decision, Event, JsonLines, Scope};
use serde_json::{Value, json};

use crate::workspace::{Person, SHIPPED, Workspace};

/// The events of a file, one value a line.
pub(crate) fn events(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("an audit file");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("one object a line"))
        .collect()
}

/// What a content, a justification and a variable of the environment must not get past.
const SECRET: &str = "hunter2-5f0c";

/// A session that does everything which leads to an event, with the secret in all of it.
fn busy_session(file: &Path) {
    let ws = Workspace::remembering();
    let (inside, outside) = (ws.inside("old"), ws.outside("out"));
    fs::write(&inside, format!("{SECRET} is old\n")).expect("a file");
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.approver = Some(Person::who(Decision::AllowedOnce));
    let sink = JsonLines::open(file, |error| panic!("{error}")).expect("an audit file");
    options.audit = Arc::new(sink);
    options.audit_reads = true;
    let mut session = SHIPPED.session(options).expect("a session");
    let calls = [
        ("list", json!({})),
        ("read", json!({"file_path": "old"})),
        (
            "edit",
            json!({"file_path": "old", "old_string": " is old", "new_string": SECRET}),
        ),
        (
            "edit",
            json!({"file_path": "old", "old_string": format!("no {SECRET}"),
                        "new_string": "x"}),
        ),
        (
            "edit",
            json!({"file_path": "old", "old_string": SECRET, "new_string": "x"}),
        ),
        ("undo", json!({})),
        ("write", json!({"file_path": &outside, "content": SECRET})),
        (
            "write",
            json!({"file_path": &outside, "content": SECRET,
                         "sandbox_permissions": "danger-full-access",
                         "justification": format!("because of {SECRET}")}),
        ),
    ];
    let codes: Vec<_> = calls
        .iter()
        .map(|(tool, args)| session.call(tool, args).code)
        .collect();
    let refused = [
        Some("FS_EDIT_NOT_FOUND"),
        Some("FS_AMBIGUOUS_EDIT"),
        None,
        Some("FS_SANDBOX_DENIED"),
        None,
    ];
    assert_eq!((&codes[..3], &codes[3..]), (&[None; 3][..], &refused[..]));
}

/// Runs itself again, with the secret in its environment. Seen red with the lines of the
/// change in the event `Asked` of `imports/approval.rs`.
#[test]
fn no_content_and_nothing_of_the_environment_is_written_down() {
    let name = "audit::no_content_and_nothing_of_the_environment_is_written_down";
    if let Some(file) = std::env::var_os("AUDIT_OF_THIS_TEST") {
        return busy_session(Path::new(&file));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("audit.jsonl");
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", name])
        .env("AUDIT_OF_THIS_TEST", &file)
        .env("API_TOKEN", SECRET)
        .status();
    assert!(status.expect("it starts").success());

    let text = fs::read_to_string(&file).expect("an audit file");
    assert!(!text.contains(SECRET), "{text}");
    let found = events(&file);
    let seen = |event: &str| found.iter().filter(|value| value["event"] == event).count();
    let expected = [
        ("session-started", 1),
        ("looked", 2),
        ("published", 3),
        ("refused", 3),
        ("call-failed", 3),
        ("asked", 1),
        ("grant-issued", 1),
        ("grant-used", 1),
    ];
    assert_eq!(
        expected.map(|(event, _)| (event, seen(event))),
        expected,
        "{text}"
    );
}

#[test]
fn every_record_has_its_time_its_number_and_its_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("audit.jsonl");
    let ws = Workspace::new();
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.audit = Arc::new(JsonLines::open(&file, |_| ()).expect("an audit file"));
    let before = chrono::Utc::now().timestamp_millis();
    let mut session = SHIPPED.session(options).expect("a session");
    assert!(
        session
            .call("write", &json!({"file_path": "a", "content": "x"}))
            .ok
    );
    drop(session);
    let after = chrono::Utc::now().timestamp_millis();
    let found = events(&file);
    assert_eq!(found.len(), 2, "{found:?}");
    for value in &found {
        let text = value["time"].as_str().expect("a time");
        assert!(text.len() == 24 && text.ends_with('Z'), "{text}");
        let time = chrono::DateTime::parse_from_rfc3339(text).expect("RFC 3339");
        assert!(
            (before..=after).contains(&time.timestamp_millis()),
            "{text}"
        );
        assert_eq!(value["process"], std::process::id());
        assert_eq!(value["session"], "s1");
    }
    assert!(found[0]["seq"].as_u64() < found[1]["seq"].as_u64());
}

/// Fails where `imports/filesystem.rs` does not look at the switch.
#[test]
fn reads_are_written_down_only_where_that_is_asked_for() {
    for (switch, looks) in [(false, 0), (true, 3)] {
        let ws = Workspace::new();
        let mut options = ws.options(Mode::ReadOnly);
        options.audit_reads = switch;
        let mut session = SHIPPED.session(options).expect("a session");
        fs::write(ws.inside("a"), "x").expect("a file");
        for (tool, path) in [("read", "a"), ("list", "."), ("read", "missing")] {
            session.call(tool, &json!({"file_path": path}));
        }
        assert_eq!(ws.audit.count(&["\"event\":\"looked\""]), looks);
        let missing = ws.audit.count(&["\"looked\"", "missing", "FS_NOT_FOUND"]);
        assert_eq!(missing, usize::from(switch));
    }
}

/// Fails where `put_to_a_person` records every decision alike.
#[test]
fn an_answer_that_was_remembered_is_no_question() {
    let ws = Workspace::new();
    let mut options = ws.options(Mode::ReadOnly);
    options.approver = Some(Person::who(Decision::Remembered(Scope::Workspace)));
    let mut session = SHIPPED.session(options).expect("a session");
    let args = json!({"file_path": "a", "content": "x", "justification": "j",
                      "sandbox_permissions": "workspace-write"});
    assert!(session.call("write", &args).ok);
    assert_eq!(ws.audit.count(&["\"event\":\"asked\""]), 0);
    let issued = ["\"event\":\"grant-issued\"", "remembered-for-workspace"];
    assert_eq!(ws.audit.count(&issued), 1);
}

#[test]
fn an_embedder_writes_down_what_it_does_for_a_session() {
    let ws = Workspace::new();
    let session = ws.session(Mode::ReadOnly);
    let reasons = ["a read-only sub-path".to_owned()];
    session.record_event(Event::Confined {
        mode: "workspace-write",
        backend: "landlock",
        enforcement: "partial",
        reasons: &reasons,
        verdict: "done",
    });
    let words = [
        "\"session\":\"s1\"",
        "\"event\":\"confined\"",
        "a read-only sub-path",
    ];
    assert_eq!(ws.audit.count(&words), 1);
}
