//! Taking a call of several edits back.

use std::fs;

use serde_json::json;

use super::{content, edit, journals, multi, plant, see, session};
use crate::workspace::Workspace;

fn edited() -> (Workspace, dsh_fs_runtime::Session) {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one\r\n"), ("b", "one"), ("c", "one")]);
    let mut session = session(&ws);
    see(&mut session, &["a", "b", "c"]);
    assert!(session.call("edit", &edit("c", "one", "two")).ok);
    let edits = [
        edit("a", "one", "two"),
        edit("b", "one", "two"),
        edit("a", "two", "three"),
    ];
    assert!(multi(&mut session, &edits).ok);
    (ws, session)
}

/// Fails when `undo_together` is not called.
#[test]
fn it_is_taken_back_as_one() {
    let (ws, mut session) = edited();
    let answer = session.call("undo", &json!({}));
    assert!(answer.ok, "{answer:?}");
    assert!(answer.text.contains("2 files"), "{}", answer.text);
    let value = answer.value.expect("facts");
    let keys = value["changes"].as_array().expect("every file").iter();
    let keys: Vec<_> = keys.map(|change| change["key"].clone()).collect();
    assert_eq!(keys.len(), 2, "{value}");
    assert!(keys.contains(&value["key"]) && value["grade"].is_string());
    assert_eq!(
        (content(&ws, "a"), content(&ws, "b")),
        ("one\r\n".into(), "one".into())
    );
    assert_eq!(content(&ws, "c"), "two", "the change before it stands");
    assert!(journals(&ws).is_empty());

    // The component knows the versions, and undo goes further back.
    assert!(session.call("edit", &edit("a", "one", "1")).ok);
    assert!(session.call("undo", &json!({})).ok);
    assert!(session.call("undo", &json!({})).ok);
    assert_eq!(content(&ws, "c"), "one");
}

/// `a` is taken back first, and is put forward again.
#[test]
fn it_is_taken_back_as_a_whole_or_not_at_all() {
    for later in ["two, mine", "\0"] {
        let (ws, mut session) = edited();
        // The last file of the call is `a`: it has been taken back when `b` refuses.
        fs::write(ws.inside("b"), later).unwrap();
        let answer = session.call("undo", &json!({}));
        assert_eq!(answer.code, Some("FS_STALE_VERSION"), "{answer:?}");
        assert!(
            answer.text.contains("Nothing was taken back."),
            "{}",
            answer.text
        );
        assert_eq!(content(&ws, "a"), "three\r\n");
        assert_eq!(content(&ws, "b"), later);
        assert!(journals(&ws).is_empty());

        fs::write(ws.inside("b"), "two").unwrap();
        assert!(session.call("undo", &json!({})).ok);
        assert_eq!(
            (content(&ws, "a"), content(&ws, "b")),
            ("one\r\n".into(), "one".into())
        );
    }
}

/// All of it together changed nothing: undo takes back what was before.
#[test]
fn what_comes_to_nothing_is_passed_over() {
    let (ws, mut session) = edited();
    let edits = [edit("b", "two", "x"), edit("b", "x", "two")];
    assert!(multi(&mut session, &edits).ok);
    assert!(session.call("undo", &json!({})).ok);
    assert_eq!(
        (content(&ws, "a"), content(&ws, "b")),
        ("one\r\n".into(), "one".into())
    );
}
