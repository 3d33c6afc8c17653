//! `dsh-fs run`: sessions in one process, and where calls come from.

use std::fs;

use serde_json::{Value, json};

use super::place::{Place, answers, code, lines};

fn read(session: Value) -> Value {
    json!({"session": session, "tool": "read", "args": {"file_path": "a.txt"}})
}

fn edit(session: Value, old: &str, new: &str) -> Value {
    let args = json!({"file_path": "a.txt", "old_string": old, "new_string": new});
    json!({"session": session, "tool": "edit", "args": args})
}

/// If the sessions shared a ledger, the edit of the second would go through.
#[test]
fn what_one_session_saw_another_did_not() {
    let place = Place::with_file("one");
    let calls = [
        read(json!("first")),
        edit(json!("second"), "one", "1"),
        read(json!("second")),
        edit(json!("first"), "one", "uno"),
        edit(json!("second"), "one", "1"),
    ];
    let codes = place.codes(&[], &calls);
    assert_eq!(
        codes,
        ["ok", "FS_NOT_OBSERVED", "ok", "ok", "FS_STALE_VERSION"]
    );
    assert_eq!(place.content("a.txt"), "uno");
}

#[test]
fn calls_without_a_session_belong_to_the_one_of_the_option() {
    let place = Place::with_file("one");
    let calls = [read(Value::Null), edit(json!("agent-7"), "one", "two")];
    assert_eq!(place.codes(&["--session", "agent-7"], &calls), ["ok", "ok"]);
    let calls = [read(Value::Null), edit(json!("main"), "two", "three")];
    assert_eq!(place.codes(&[], &calls), ["ok", "ok"]);
}

#[test]
fn names_that_are_none_are_refused() {
    let place = Place::with_file("one");
    let long = "n".repeat(129);
    let bad = [
        json!(5),
        json!(""),
        json!("a\nb"),
        json!("\u{7f}"),
        json!([]),
        json!(long),
    ];
    for code in place.codes(&[], &bad.map(read)) {
        assert_eq!(code, "UNKNOWN_SESSION");
    }
    assert_eq!(place.codes(&[], &[read(json!("n".repeat(128)))]), ["ok"]);
    for name in ["", "a\nb", &long] {
        let ended = place.run(&["--session", name], b"");
        assert!(ended.stderr.contains("--session"), "{}", ended.stderr);
        ended.failed(2);
    }
}

#[test]
fn calls_may_come_from_a_file() {
    let place = Place::with_file("one");
    fs::write(
        place.beside("calls"),
        lines(&[read(Value::Null), read(json!("x"))]),
    )
    .expect("file");
    let answers = answers(&place.run(&["calls"], b"").done());
    assert_eq!(answers.iter().map(code).collect::<Vec<_>>(), ["ok", "ok"]);
}

#[test]
fn a_file_of_calls_that_cannot_be_read_is_named() {
    let place = Place::new();
    for name in ["missing", "ws"] {
        let why = place.run(&[name], b"").failed(1);
        assert!(why.starts_with(&format!("calls {name}: ")), "{why}");
    }
}
