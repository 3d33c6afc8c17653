//! A session that is held to a few directories, and let go again.

use std::path::PathBuf;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Decision, Session};
use serde_json::json;

use super::workspace::{Person, SHIPPED, Workspace};

fn write(session: &mut Session, path: &str) -> &'static str {
    let answer = session.call("write", &json!({ "file_path": path, "content": "x" }));
    answer.code.unwrap_or("ok")
}

/// The component keeps its handle from the first call on. Turns red without `renew` in
/// `imports/mutation.rs`: the handle then has the roots of that call for ever.
#[test]
fn a_kept_handle_has_the_roots_of_now() {
    let place = Workspace::new();
    for mode in [Mode::WorkspaceWrite, Mode::DangerFullAccess] {
        let mut session = place.session(mode);
        let inside = |name: &str| place.inside(&format!("{}-{name}", mode.name()));
        assert_eq!(write(&mut session, &inside("a")), "ok");
        let elsewhere = [PathBuf::from(place.outside(""))];
        session.narrow_to(Some(&elsewhere));
        assert_eq!(write(&mut session, &inside("b")), "FS_SANDBOX_DENIED");
        session.narrow_to(Some(&[]));
        assert_eq!(write(&mut session, &inside("b")), "FS_SANDBOX_DENIED");
        assert_eq!(session.pinned_roots().texts(), [""; 0]);
        session.narrow_to(None);
        assert_eq!(write(&mut session, &inside("b")), "ok");
    }
}

/// Turns red without `renew` in `imports/removal.rs`: the kept handle removes the file.
#[test]
fn an_undo_of_a_creation_is_held_too() {
    let place = Workspace::remembering();
    let mut session = place.session(Mode::WorkspaceWrite);
    assert_eq!(write(&mut session, &place.inside("a")), "ok");
    session.narrow_to(Some(&[]));
    let answer = session.call("undo", &json!({}));
    assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"), "{}", answer.text);
    session.narrow_to(None);
    assert_eq!(session.call("undo", &json!({})).code, None);
}

/// A fork stands under what its parent stands under.
#[test]
fn a_fork_is_held_too() {
    let place = Workspace::new();
    let mut session = place.session(Mode::WorkspaceWrite);
    session.narrow_to(Some(&[]));
    let mut child = session.fork(Some("child".into())).expect("a fork");
    assert_eq!(write(&mut child, &place.inside("a")), "FS_SANDBOX_DENIED");
}

/// A question whose answer could change nothing is not asked. Turns red without the check
/// in `imports/approval.rs`.
#[test]
fn nobody_is_asked_about_what_lies_outside() {
    let place = Workspace::new();
    let person = Person::who(Decision::AllowedOnce);
    let mut options = place.options(Mode::WorkspaceWrite);
    options.approver = Some(person.clone());
    let mut session = SHIPPED.session(options).expect("a session");
    session.narrow_to(Some(&[PathBuf::from(place.inside(""))]));
    let args = json!({
        "file_path": place.outside("a"),
        "content": "x",
        "sandbox_permissions": "danger-full-access",
        "justification": "a reason",
    });
    let answer = session.call("write", &args);
    assert_eq!(answer.code, Some("ESCALATION_REFUSED"), "{}", answer.text);
    assert_eq!(person.questions().len(), 0);
    assert_eq!(place.audit.count(&["question-refused"]), 1);
}
