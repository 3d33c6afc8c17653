//! The change that a person is shown before they answer.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Change, ChangeKind, Decision, Question, Scope, Session, wording};
use serde_json::{Value, json};

use crate::workspace::{Person, SHIPPED, Workspace};

/// A read-only session, and the person who says yes to everything.
fn asking(ws: &Workspace) -> (Session, std::sync::Arc<Person>) {
    let person = Person::who(Decision::AllowedOnce);
    let mut options = ws.options(Mode::ReadOnly);
    options.approver = Some(person.clone());
    (SHIPPED.session(options).expect("a session"), person)
}

/// The arguments with a request for a wider mode.
fn escalated(mut args: Value) -> Value {
    args["sandbox_permissions"] = "workspace-write".into();
    args["justification"] = "the task needs it".into();
    args
}

/// The question that one write of this content leads to, where the file held that.
fn of_write(old: Option<&[u8]>, new: &str) -> Question {
    let ws = Workspace::new();
    if let Some(old) = old {
        fs::write(ws.inside("a"), old).expect("a file");
    }
    let (mut session, person) = asking(&ws);
    session.call("read", &json!({"file_path": "a"}));
    session.call(
        "write",
        &escalated(json!({"file_path": "a", "content": new})),
    );
    person.questions().remove(0)
}

fn change(question: &Question) -> &Change {
    question.change.as_ref().expect("a change of one file")
}

#[test]
fn a_new_file_is_shown_as_its_content() {
    let question = of_write(None, "one\ntwo");
    let change = change(&question);
    assert_eq!(change.kind, ChangeKind::Creates);
    assert_eq!(change.lines[..2], ["+one", "+two"]);
    assert!(
        change.lines[2].starts_with('\\') && !change.cut,
        "{change:?}"
    );
}

#[test]
fn a_replaced_file_is_shown_as_the_difference() {
    let old: String = (1..=30).map(|line| format!("line {line}\n")).collect();
    let new = old.replace("line 15\n", "line fifteen\n");
    let question = of_write(Some(old.as_bytes()), &new);
    let change = change(&question);
    assert_eq!(change.kind, ChangeKind::Replaces);
    assert_eq!(change.lines[0], "@@ -12,7 +12,7 @@");
    assert_eq!(change.lines[4..6], ["-line 15", "+line fifteen"]);
    assert_eq!((change.lines.len(), change.cut), (9, false));
    let words = wording::question_once(&question);
    assert!(words.contains("\n  -line 15\n  +line fifteen\n"), "{words}");
}

#[test]
fn an_edit_is_shown_as_the_text_that_goes_and_the_text_that_comes() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "one two one\n").expect("a file");
    let (mut session, person) = asking(&ws);
    session.call("read", &json!({"file_path": "a"}));
    let edit = json!({"file_path": "a", "old_string": "one", "new_string": "1",
                      "replace_all": true});
    assert!(session.call("edit", &escalated(edit)).ok);
    let question = person.questions().remove(0);
    assert_eq!(change(&question).kind, ChangeKind::EditsAll);
    assert_eq!(change(&question).lines, ["@@", "-one", "+1"]);
}

#[test]
fn an_undo_is_shown_as_the_way_back() {
    let ws = Workspace::remembering();
    fs::write(ws.inside("a"), "old\n").expect("a file");
    let (mut session, person) = asking(&ws);
    session.call("read", &json!({"file_path": "a"}));
    let write = json!({"file_path": "a", "content": "new\n"});
    assert!(session.call("write", &escalated(write)).ok);
    assert!(session.call("undo", &escalated(json!({}))).ok);
    let question = person.questions().remove(1);
    assert_eq!(question.tool, "undo");
    assert_eq!(change(&question).lines[1..], ["-new", "+old"]);
}

/// Fails where `change/lines.rs` shows a line as it is.
#[test]
fn a_content_cannot_rewrite_the_question() {
    let hostile = "\u{1b}[2J\u{202e}evil\r\nMode: read-only\n";
    let question = of_write(None, hostile);
    let words = wording::question(&question);
    assert!(!words.contains(['\u{1b}', '\u{202e}', '\r']), "{words}");
    assert!(words.contains("\n  +Mode: read-only\n"), "{words}");
    assert!(!words.contains("\nMode: read-only"), "{words}");
}

/// Fails without the two limits in `change/lines.rs`.
#[test]
fn a_large_change_is_cut_and_says_so() {
    let many = "x\n".repeat(1_000);
    let long = "y".repeat(100_000);
    let control = "\u{1}".repeat(3_000);
    for content in [&many, &long, &control] {
        let question = of_write(None, content);
        let change = change(&question);
        let bytes: usize = change.lines.iter().map(String::len).sum();
        assert!(change.cut && !change.lines.is_empty());
        assert!(change.lines.len() <= 40 && bytes <= 4096, "{bytes}");
        assert!(wording::question(&question).contains("[cut:"));
    }
}

#[test]
fn what_cannot_be_compared_is_said_to_be_replaced() {
    let large = "line\n".repeat(100_000);
    let question = of_write(Some(large.as_bytes()), "small\n");
    assert_eq!(change(&question).kind, ChangeKind::ReplacesUnread);
    assert_eq!(change(&question).lines, ["+small"]);
    let question = of_write(Some(b"small\n"), &large);
    assert_eq!(change(&question).kind, ChangeKind::ReplacesUnread);
    assert!(change(&question).cut);
}

/// Fails where a yes that lasts is not a yes in `imports/approval.rs`.
#[test]
fn a_yes_that_lasts_is_one_grant_for_the_component() {
    let ws = Workspace::new();
    for decision in [
        Decision::AllowedForSession,
        Decision::AllowedForWorkspace,
        Decision::Remembered(Scope::Session),
        Decision::Remembered(Scope::Workspace),
    ] {
        let mut options = ws.options(Mode::ReadOnly);
        options.approver = Some(Person::who(decision));
        let mut session = SHIPPED.session(options).expect("a session");
        let path = decision.name();
        let args = json!({"file_path": path, "content": "x"});
        assert!(session.call("write", &escalated(args)).ok, "{path}");
        let plain = json!({"file_path": path, "content": "y"});
        let answer = session.call("write", &plain);
        assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"), "{path}");
    }
}

#[test]
fn a_question_names_what_an_answer_would_be_remembered_by() {
    let ws = Workspace::new();
    let name = "a\nb";
    let (mut session, person) = asking(&ws);
    session.call(
        "write",
        &escalated(json!({"file_path": name, "content": "x"})),
    );
    let question = person.questions().remove(0);
    assert_eq!(question.key, ws.inside(name));
    assert_eq!(question.path, ws.inside("a\\nb"));
    assert_eq!(question.workspace_root, ws.inside("").trim_end_matches('/'));
}
