//! Wider permissions for some of several edits.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Decision, Session};
use serde_json::{Value, json};

use super::{content, edit, journals, plant, see, transactions};
use crate::workspace::{Person, SHIPPED, Workspace};

use std::sync::Arc;

fn asked(ws: &Workspace, decision: Decision) -> (Session, Arc<Person>) {
    let person = Person::who(decision);
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.transactions = Some(transactions(ws));
    options.approver = Some(person.clone());
    (SHIPPED.session(options).unwrap(), person)
}

fn wider(edits: &[Value]) -> Value {
    json!({
        "edits": edits,
        "sandbox_permissions": "danger-full-access",
        "justification": "the task needs it",
    })
}

fn planted() -> Workspace {
    let ws = Workspace::remembering();
    plant(&ws, &[("a", "one"), ("b", "one")]);
    fs::write(ws.outside("o"), "one").unwrap();
    ws
}

#[test]
fn a_person_is_asked_about_what_needs_it() {
    let ws = planted();
    let (mut session, person) = asked(&ws, Decision::AllowedOnce);
    let outside = ws.outside("o");
    see(&mut session, &["a", &outside]);
    let edits = [edit("a", "one", "two"), edit(&outside, "one", "two")];
    let answer = session.call("multi_edit", &wider(&edits));
    assert!(answer.ok, "{answer:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "two");
    let questions = person.questions();
    assert_eq!(questions.len(), 1);
    assert_eq!(
        (questions[0].tool, questions[0].path.as_str()),
        ("multi_edit", outside.as_str())
    );
}

/// Fails when the way back stands under the mode of the session instead of the policy that
/// the change was made under, or asks again.
#[test]
fn what_was_allowed_is_taken_back_without_a_question() {
    let ws = planted();
    let (mut session, person) = asked(&ws, Decision::AllowedOnce);
    let outside = ws.outside("o");
    see(&mut session, &["a", &outside]);
    let edits = [edit(&outside, "one", "two"), edit("a", "x", "y")];
    let answer = session.call("multi_edit", &wider(&edits));
    assert_eq!(answer.code, Some("FS_EDIT_NOT_FOUND"), "{answer:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "one");
    assert_eq!(person.questions().len(), 1);
    assert!(journals(&ws).is_empty());

    // It is no way out: the same file is denied as before.
    let answer = session.call("edit", &edit(&outside, "one", "two"));
    assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"));
}

#[test]
fn a_no_takes_everything_back() {
    let ws = planted();
    let (mut session, _) = asked(&ws, Decision::Rejected);
    let outside = ws.outside("o");
    see(&mut session, &["a", &outside]);
    let edits = [edit("a", "one", "two"), edit(&outside, "one", "two")];
    let answer = session.call("multi_edit", &wider(&edits));
    assert_eq!(answer.code, Some("ESCALATION_REFUSED"), "{answer:?}");
    assert_eq!(content(&ws, "a"), "one");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "one");
}
