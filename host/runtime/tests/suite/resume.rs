//! A session that is taken up by another one: what it saw, what it can take back, and a
//! call that is withdrawn by its caller's own flag.

use std::fs;

use dsh_fs::cancel::Cancel;
use dsh_fs::types::Mode;
use serde_json::json;

use crate::workspace::Workspace;

/// Without `restore_changes` there is nothing to undo; without `restore` the edit is
/// `FS_NOT_OBSERVED`.
#[test]
fn what_was_seen_and_done_goes_into_another_session() {
    let ws = Workspace::remembering();
    fs::write(ws.inside("a"), "one").expect("a file");
    let mut first = ws.session(Mode::WorkspaceWrite);
    assert!(first.call("read", &json!({"file_path": "a"})).ok);
    let edit = json!({"file_path": "a", "old_string": "one", "new_string": "two"});
    assert!(first.call("edit", &edit).ok);

    let mut second = ws.session(Mode::WorkspaceWrite);
    let pages = first.snapshot().expect("a snapshot");
    second.restore(&pages).expect("its own pages");
    let changes = first.changes().expect("changes");
    second.restore_changes(&changes).expect("its own changes");
    let edit = json!({"file_path": "a", "old_string": "two", "new_string": "three"});
    assert!(second.call("edit", &edit).ok);
    for expected in ["two", "one"] {
        assert!(second.call("undo", &json!({})).ok);
        assert_eq!(
            fs::read_to_string(ws.inside("a")).expect("a text"),
            expected
        );
    }
    assert_eq!(second.changes().expect("changes"), "[]");
    let refused = second.restore_changes("{").expect_err("no changes");
    assert_eq!(refused.code.name(), "INVALID_ARGUMENTS");
}

/// The newest observation is on the last page, so that a host may keep that page alone.
/// Fails where `snapshot_from` begins at the first page.
#[test]
fn the_last_page_has_the_newest_observation() {
    let ws = Workspace::new();
    let mut session = ws.session(Mode::WorkspaceWrite);
    for number in 0..100 {
        fs::write(ws.inside(&format!("f{number}")), "x").expect("a file");
        let path = format!("f{number}");
        assert!(session.call("read", &json!({"file_path": path})).ok);
    }
    let all = session.snapshot().expect("a snapshot");
    assert_eq!(all.len(), 2, "this many targets take two pages");
    assert_eq!(session.snapshot_from(1).expect("a page"), all[1..]);
    assert!(session.call("read", &json!({"file_path": "f0"})).ok);

    let mut other = ws.session(Mode::WorkspaceWrite);
    other
        .restore(&session.snapshot_from(1).expect("a page"))
        .expect("a page");
    let edit = json!({"file_path": "f0", "old_string": "x", "new_string": "y"});
    assert!(other.call("edit", &edit).ok);
    assert!(session.snapshot_from(2).expect("no page").is_empty());
}

/// Fails when `enter` takes the flag of the session in place of the lent one, or lowers it.
#[test]
fn a_lent_flag_withdraws_a_call_and_stays_as_it_is() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "one").expect("a file");
    let mut session = ws.session(Mode::ReadOnly);
    let args = json!({"file_path": "a"});
    let cancel = Cancel::new();
    assert!(session.call_under(&cancel, "read", &args).ok);
    cancel.cancel();
    let answer = session.call_under(&cancel, "read", &args);
    assert_eq!(answer.code, Some("FS_ABORTED"));
    assert!(cancel.is_cancelled());
    assert!(session.call("read", &args).ok);
}
