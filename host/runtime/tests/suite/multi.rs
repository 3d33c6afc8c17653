//! Several edits through the component: all of them, or none.

use std::fs;
use std::sync::Arc;

use dsh_fs::transaction::Transactions;
use dsh_fs::types::Mode;
use dsh_fs_runtime::{Answer, Session};
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
