//! `dsh-fs audit`: a timeline that holds whatever the file holds.

use std::fs;

use dsh_fs_runtime::{AuditSink, Event, JsonLines, Record};
use serde_json::Value;

use super::place::Place;

/// A name of a file that would take over a terminal, or a page.
pub(super) const HOSTILE: &str =
    "/ws/\u{1b}[2J<script>document.title='taken'</script><img src=x onerror=alert(1)>\n\u{202e}x";

/// A place with the records of two sessions in `audit.jsonl`.
pub(super) fn place() -> Place {
    let place = Place::new();
    let sink = JsonLines::open(&place.beside("audit.jsonl"), |error| panic!("{error}"));
    let sink = sink.expect("an audit file");
    let published = |key| Event::Published {
        tool: "write",
        key,
        operation: "create",
        guard: "create-if-absent",
        version: Some("v"),
        previous: None,
        grade: "atomic",
    };
    let failed = |path| Event::CallFailed {
        tool: "edit",
        path: Some(path),
        code: "FS_NOT_OBSERVED",
    };
    let started = Event::SessionStarted {
        mode: "workspace-write",
        root: "/ws",
        forked: false,
    };
    for (session, event) in [
        ("main", started),
        ("main", published("/ws/src/one.rs")),
        ("main", published(HOSTILE)),
        ("other", published("/ws/src/two.rs")),
        ("other", failed("/ws/a\\nb")),
    ] {
        sink.record(&Record::now(Some(session), event));
    }
    place
}

fn lines(place: &Place, args: &[&str]) -> Vec<String> {
    let all = ["audit", "audit.jsonl"].iter().chain(args);
    let text = place.program(all).done();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_timeline_tells_when_who_what_and_where() {
    let lines = lines(&place(), &[]);
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[0].contains("session started under workspace-write"));
    for part in ["Z  main", "atomic", "write: create", "/ws/src/one.rs"] {
        assert!(lines[1].contains(part), "{}", lines[1]);
    }
    assert!(lines[4].contains("FS_NOT_OBSERVED") && lines[4].ends_with("/ws/a\\nb"));
}

/// Fails where `Entry::text` shows a text as it stands.
#[test]
fn a_hostile_name_is_one_line_without_control() {
    let lines = lines(&place(), &["--path", "<script>"]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].ends_with("\\n\\u{202e}x"), "{}", lines[0]);
    assert!(!lines[0].contains(['\u{1b}', '\u{202e}']), "{}", lines[0]);
}

#[test]
fn filters_are_by_session_path_and_outcome() {
    let place = place();
    let count = |args: &[&str]| lines(&place, args).len();
    assert_eq!(count(&["--session", "main"]), 3);
    assert_eq!(count(&["--session", "mai"]), 0);
    assert_eq!(count(&["--path", "src/"]), 2);
    assert_eq!(count(&["--path", "a\nb"]), 1);
    assert_eq!(count(&["--code", "fs_not_observed"]), 1);
    assert_eq!(count(&["--code", "atomic", "--session", "other"]), 1);
}

#[test]
fn json_is_the_records_as_they_stand() {
    let place = place();
    let all = lines(&place, &["--json"]);
    let file = fs::read_to_string(place.beside("audit.jsonl")).expect("the audit file");
    assert_eq!(all, file.lines().collect::<Vec<_>>());
    let one = lines(&place, &["--json", "--path", "two.rs"]);
    let one: Value = serde_json::from_str(&one[0]).expect("JSON");
    assert_eq!(one["key"], "/ws/src/two.rs");
}

#[test]
fn lines_that_are_no_records_are_counted_and_skipped() {
    let place = place();
    let mut file = fs::read(place.beside("audit.jsonl")).expect("the audit file");
    let garbage =
        b"no json\n[1]\n\n{\"event\":7}\n\xff\n{\"event\":\"of-tomorrow\",\"key\":5}\n{\"ev";
    file.extend_from_slice(garbage);
    fs::write(place.beside("audit.jsonl"), file).expect("the audit file");
    let ended = place.program(["audit", "audit.jsonl"]);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.stdout.lines().count(), 6, "{}", ended.stdout);
    assert!(ended.stdout.contains("of-tomorrow"), "{}", ended.stdout);
    let note = "dsh-fs: note: 5 lines are no records (the first is line 6)\n";
    assert_eq!(ended.stderr, note);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let place = Place::new();
    let why = place.program(["audit", "missing.jsonl"]).failed(1);
    assert!(why.starts_with("missing.jsonl"), "{why}");
    let why = place.program(["audit", "ws"]).failed(1);
    assert!(!why.is_empty());
}
