//! Several edits through the component: all of them, or none.

mod crash;
mod disturbed;
mod escalation;
mod undo;

use std::fs;
use std::sync::Arc;

use dsh_fs::transaction::Transactions;
use dsh_fs::types::Mode;
use dsh_fs_runtime::{Answer, MOST_EDITS, Session};
use serde_json::{Value, json};

use crate::workspace::{SHIPPED, Workspace};

/// A session with journals.
fn session(ws: &Workspace) -> Session {
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.transactions = Some(transactions(ws));
    SHIPPED.session(options).unwrap()
}

fn transactions(ws: &Workspace) -> Arc<Transactions> {
    let folder = ws.base().join("journals");
    Arc::new(Transactions::in_folder(ws.secret(), &folder).unwrap())
}

fn plant(ws: &Workspace, files: &[(&str, &str)]) {
    for (name, content) in files {
        fs::write(ws.inside(name), content).unwrap();
    }
}

fn see(session: &mut Session, names: &[&str]) {
    for name in names {
        let answer = session.call("read", &json!({"file_path": name}));
        assert!(answer.ok, "{answer:?}");
    }
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"file_path": path, "old_string": old, "new_string": new})
}

fn multi(session: &mut Session, edits: &[Value]) -> Answer {
    session.call("multi_edit", &json!({"edits": edits}))
}

fn content(ws: &Workspace, name: &str) -> String {
    fs::read_to_string(ws.inside(name)).unwrap()
}

/// The names in the folder of the journals.
fn journals(ws: &Workspace) -> Vec<String> {
    let entries = fs::read_dir(ws.base().join("journals")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn later_edits_see_what_earlier_ones_left() {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "\u{feff}one\r\ntwo\r\n"), ("b", "b\n")]);
    let mut session = session(&ws);
    see(&mut session, &["a", "b"]);
    let edits = [
        edit("a", "one", "two"),
        edit("b", "b", "c"),
        edit("a", "two\ntwo", "three"),
    ];
    let answer = multi(&mut session, &edits);
    assert!(answer.ok, "{answer:?}");
    assert_eq!(content(&ws, "a"), "\u{feff}three\r\n");
    assert_eq!(content(&ws, "b"), "c\n");
    let value = answer.value.unwrap();
    assert_eq!(value["changes"].as_array().unwrap().len(), 3);
    assert_eq!(value["survivesACrash"], true);
    assert!(journals(&ws).is_empty());
    // The component has learned the last versions.
    assert!(session.call("edit", &edit("a", "three", "4")).ok);
}

/// Fails when `take_back` is not called.
#[test]
fn one_that_fails_takes_all_of_them_back() {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one\r\n"), ("b", "b\n"), ("c", "c\n")]);
    let mut session = session(&ws);
    see(&mut session, &["a", "b", "c"]);
    let edits = [
        edit("a", "one", "1"),
        edit("a", "1", "2"),
        edit("b", "b", "B"),
        edit("c", "missing", "x"),
    ];
    let answer = multi(&mut session, &edits);
    assert_eq!(answer.code, Some("FS_EDIT_NOT_FOUND"));
    let told = "\nEdit 4 of 4 (\"c\") failed. Every change was taken back: no file is changed.";
    assert!(answer.text.ends_with(told), "{}", answer.text);
    assert_eq!(content(&ws, "a"), "one\r\n");
    assert_eq!(content(&ws, "b"), "b\n");
    assert!(journals(&ws).is_empty());

    // The component knows the restored versions: no new read is needed, of none of them.
    for (name, old) in [("a", "one"), ("b", "b"), ("c", "c")] {
        let answer = session.call("edit", &edit(name, old, "z"));
        assert!(answer.ok, "{answer:?}");
    }
    // And there is no change of the call for undo: these three are the only ones.
    for _ in 0..3 {
        assert!(session.call("undo", &json!({})).ok);
    }
    let undo = session.call("undo", &json!({}));
    assert_eq!(undo.code, Some("INVALID_ARGUMENTS"));
}

/// Fails when `check_edits` is not called, or the shapes are not checked.
#[test]
fn what_makes_no_sense_begins_nothing() {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one")]);
    let mut session = session(&ws);
    see(&mut session, &["a"]);
    let one = edit("a", "one", "two");
    let many = vec![one.clone(); MOST_EDITS + 1];
    let cases = [
        json!({}),
        json!({"edits": []}),
        json!({"edits": many}),
        json!({"edits": "all"}),
        json!({"edits": [one, "two"]}),
        json!({"edits": [one, {"old_string": "a", "new_string": "b"}]}),
        json!({"edits": [one, {"file_path": "a", "new_string": "b"}]}),
        json!({"edits": [one, {"file_path": "a", "old_string": "two", "new_string": 3}]}),
        json!({"edits": [one], "sandbox_permissions": "danger-full-access"}),
    ];
    for args in cases {
        let answer = session.call("multi_edit", &args);
        assert_eq!(answer.code, Some("INVALID_ARGUMENTS"), "{answer:?}");
        assert_eq!(content(&ws, "a"), "one");
    }
    assert_eq!(ws.audit.count(&["multi_edit"]), 0, "nothing was begun");
}

#[test]
fn one_file_is_named_once() {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one two"), ("b", "two")]);
    let mut session = session(&ws);
    see(&mut session, &["a", "b"]);
    let args = json!({"file_path": "a", "edits": [
        {"old_string": "one", "new_string": "1"},
        {"old_string": "two", "new_string": "2"},
        {"file_path": "b", "old_string": "two", "new_string": "2", "replace_all": true},
    ]});
    let answer = session.call("multi_edit", &args);
    assert!(answer.ok, "{answer:?}");
    assert_eq!(
        (content(&ws, "a"), content(&ws, "b")),
        ("1 2".into(), "2".into())
    );
}

/// Each edit meets what it would meet alone; the answer names the one that failed.
#[test]
fn every_refusal_is_that_of_the_edit() {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one"), ("unseen", "one"), ("stale", "one")]);
    fs::write(ws.outside("o"), "one").unwrap();
    let mut session = session(&ws);
    see(&mut session, &["a", "stale", &ws.outside("o")]);
    plant(&ws, &[("stale", "one!")]);
    let outside = ws.outside("o");
    let cases = [
        ("unseen", "one", "FS_NOT_OBSERVED"),
        ("stale", "one", "FS_STALE_VERSION"),
        ("missing", "one", "FS_NOT_OBSERVED"),
        (outside.as_str(), "one", "FS_SANDBOX_DENIED"),
        ("a", "x", "FS_EDIT_NOT_FOUND"),
        ("a", "two", "INVALID_ARGUMENTS"),
        ("", "one", "INVALID_ARGUMENTS"),
    ];
    for (path, old, code) in cases {
        let answer = multi(
            &mut session,
            &[edit("a", "one", "two"), edit(path, old, "two")],
        );
        assert_eq!(answer.code, Some(code), "{answer:?}");
        assert!(
            answer
                .text
                .contains(&format!("Edit 2 of 2 (\"{path}\") failed."))
        );
        assert_eq!(content(&ws, "a"), "one", "{path}");
    }
    assert_eq!(fs::read_to_string(&outside).unwrap(), "one");
    assert!(journals(&ws).is_empty());
}

/// Without a folder for journals it is all or nothing as long as the process lives.
#[test]
fn without_journals_the_answer_says_so() {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one"), ("b", "one")]);
    let mut session = ws.session(Mode::WorkspaceWrite);
    see(&mut session, &["a", "b"]);
    let failing = [edit("a", "one", "two"), edit("b", "x", "y")];
    assert_eq!(
        multi(&mut session, &failing).code,
        Some("FS_EDIT_NOT_FOUND")
    );
    assert_eq!(content(&ws, "a"), "one");
    let answer = multi(
        &mut session,
        &[edit("a", "one", "two"), edit("b", "one", "two")],
    );
    assert!(
        answer.text.contains("No journal is kept here"),
        "{}",
        answer.text
    );
    assert_eq!(answer.value.unwrap()["survivesACrash"], false);
}
