//! Escalation: what a person is asked, and what a yes is good for.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Decision, wording};
use serde_json::{Value, json};

use crate::workspace::{Person, SHIPPED, Workspace};

fn escalated(path: &str, mode: &str) -> Value {
    json!({
        "file_path": path,
        "content": "x",
        "sandbox_permissions": mode,
        "justification": "the task\n needs \u{1b}[2Jit",
    })
}

#[test]
fn a_yes_is_good_for_one_mutation() {
    let ws = Workspace::new();
    let person = Person::who(Decision::AllowedOnce);
    let mut options = ws.options(Mode::ReadOnly);
    options.approver = Some(person.clone());
    let mut session = SHIPPED.session(options).unwrap();

    let answer = session.call("write", &escalated("a", "workspace-write"));
    assert!(answer.ok, "{answer:?}");
    let plain = json!({"file_path": "b", "content": "x"});
    assert_eq!(
        session.call("write", &plain).code,
        Some("FS_SANDBOX_DENIED")
    );
    let questions = person.questions();
    assert_eq!(questions.len(), 1);
    assert_eq!(questions[0].path, ws.inside("a"));
    assert_eq!(questions[0].tool, "write");
    assert_eq!(questions[0].mode, Mode::WorkspaceWrite);
    let words = wording::question(&questions[0]);
    assert!(
        !words.contains('\u{1b}') && words.contains("\\n"),
        "{words}"
    );
    assert_eq!(ws.audit.count(&["\"event\":\"asked\"", "allowed-once"]), 1);
    assert_eq!(ws.audit.count(&["\"event\":\"grant-used\""]), 1);
}

#[test]
fn the_granted_mode_has_limits_of_its_own() {
    let ws = Workspace::new();
    let mut options = ws.options(Mode::ReadOnly);
    options.approver = Some(Person::who(Decision::AllowedOnce));
    let mut session = SHIPPED.session(options).unwrap();
    let outside = ws.outside("a");
    let answer = session.call("write", &escalated(&outside, "workspace-write"));
    assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"), "{answer:?}");
    let answer = session.call("write", &escalated(&outside, "danger-full-access"));
    assert!(answer.ok, "{answer:?}");
    assert_eq!(fs::read_to_string(outside).unwrap(), "x");
}

#[test]
fn every_other_answer_touches_nothing() {
    let ws = Workspace::new();
    let mut options = ws.options(Mode::ReadOnly);
    for decision in [
        Decision::Rejected,
        Decision::Cancelled,
        Decision::Unavailable,
    ] {
        options.approver = Some(Person::who(decision));
        let mut session = SHIPPED.session(options.clone()).unwrap();
        let answer = session.call("write", &escalated("a", "danger-full-access"));
        assert_eq!(answer.code, Some("ESCALATION_REFUSED"), "{answer:?}");
    }
    options.approver = None;
    let mut session = SHIPPED.session(options).unwrap();
    let answer = session.call("write", &escalated("a", "danger-full-access"));
    assert_eq!(answer.code, Some("ESCALATION_REFUSED"), "{answer:?}");
    assert!(!fs::exists(ws.inside("a")).unwrap());
}

#[test]
fn nobody_is_asked_about_a_call_that_the_gate_refuses() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "theirs").unwrap();
    let person = Person::who(Decision::AllowedOnce);
    let mut options = ws.options(Mode::ReadOnly);
    options.approver = Some(person.clone());
    let mut session = SHIPPED.session(options).unwrap();
    let edit = json!({
        "file_path": "a", "old_string": "t", "new_string": "x",
        "sandbox_permissions": "workspace-write", "justification": "because",
    });
    assert_eq!(session.call("edit", &edit).code, Some("FS_NOT_OBSERVED"));
    assert!(person.questions().is_empty());
}
