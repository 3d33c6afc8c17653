//! Taking changes back, and what a stale answer tells a model.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{
    AuditSink, ChangeKind, Decision, Event, ModeSource, Question, Record, Session,
};
use serde_json::json;

use crate::workspace::{Person, SHIPPED, Workspace};

fn session(ws: &Workspace) -> Session {
    ws.session(Mode::WorkspaceWrite)
}

fn read(session: &mut Session, path: &str) {
    let answer = session.call("read", &json!({"file_path": path}));
    assert!(answer.ok, "{answer:?}");
}

fn write(session: &mut Session, path: &str, content: &str) {
    let answer = session.call("write", &json!({"file_path": path, "content": content}));
    assert!(answer.ok, "{answer:?}");
}

/// The code of an undo; `None` where it was done.
fn undo(session: &mut Session) -> Option<&'static str> {
    session.call("undo", &json!({})).code
}

#[test]
fn a_stale_answer_shows_the_changed_lines() {
    let ws = Workspace::remembering();
    fs::write(ws.inside("a"), "one\ntwo\n").unwrap();
    let mut session = session(&ws);
    read(&mut session, "a");
    fs::write(ws.inside("a"), "one\nTWO\n").unwrap();
    let answer = session.call("write", &json!({"file_path": "a", "content": "x"}));
    assert_eq!(answer.code, Some("FS_STALE_VERSION"));
    let lines: Vec<_> = answer.text.lines().skip(1).collect();
    let expected = [
        "What changed since it was seen (- then, + now):",
        "  1: one",
        "- 2: two",
        "+ 2: TWO",
    ];
    assert_eq!(lines, expected, "{}", answer.text);
}

#[test]
fn undo_walks_back_byte_for_byte() {
    let ws = Workspace::remembering();
    let first = "\u{feff}one\r\ntwo\nthree";
    fs::write(ws.inside("a"), first).unwrap();
    let mut session = session(&ws);
    read(&mut session, "a");
    let edit = json!({"file_path": "a", "old_string": "two", "new_string": "2"});
    assert!(session.call("edit", &edit).ok);
    write(&mut session, "a", "whole\n");

    let answer = session.call("undo", &json!({}));
    assert!(answer.ok, "{answer:?}");
    let path = ws.inside("a");
    let text = format!("Took back the last change of {path}: it has its former content again.");
    assert_eq!(answer.text, text);
    assert_eq!(answer.value.expect("facts")["operation"], "update");
    let now = fs::read_to_string(ws.inside("a")).unwrap();
    assert_eq!(now, first.replace("two", "2"));

    assert_eq!(undo(&mut session), None);
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), first);
    assert_eq!(undo(&mut session), Some("INVALID_ARGUMENTS"));
    assert_eq!(ws.audit.count(&["published", "\"tool\":\"undo\""]), 2);

    // The component has learned the version: the next change needs no read.
    write(&mut session, "a", "again\n");
}

/// Fails when `demanded` is taken out of the import of `write-text`: the session has read
/// the later work, so that the guard of the component would let it be dropped.
#[test]
fn undo_never_drops_later_work() {
    let ws = Workspace::remembering();
    fs::write(ws.inside("a"), "one\n").unwrap();
    let mut session = session(&ws);
    read(&mut session, "a");
    write(&mut session, "a", "two\n");
    fs::write(ws.inside("a"), "two\nmine\n").unwrap();
    read(&mut session, "a");

    let answer = session.call("undo", &json!({}));
    assert_eq!(answer.code, Some("FS_STALE_VERSION"), "{answer:?}");
    let expected = format!(
        "Error: cannot undo the last change of \"{}\": the file was changed since, and that \
         would be lost\nWhat changed since it was seen (- then, + now):\n  1: two\n+ 2: mine",
        ws.inside("a")
    );
    assert_eq!(answer.text, expected);
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "two\nmine\n");

    // A refusal takes nothing from the journal.
    fs::write(ws.inside("a"), "two\n").unwrap();
    assert_eq!(undo(&mut session), None);
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "one\n");
}

#[test]
fn undo_stands_under_the_mode_of_now() {
    let ws = Workspace::remembering();
    fs::write(ws.inside("a"), "one\n").unwrap();
    let mut session = session(&ws);
    read(&mut session, "a");
    write(&mut session, "a", "two\n");
    session.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    assert_eq!(undo(&mut session), Some("FS_SANDBOX_DENIED"));
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "two\n");
}

/// Fails when `check_undo` is not called: a copy has the content that the change left.
#[test]
fn undo_finds_no_other_file_under_the_old_path() {
    let ws = Workspace::remembering();
    let root = ws.base().join("ws");
    fs::create_dir(root.join("a")).unwrap();
    fs::write(root.join("a/f"), "one\n").unwrap();
    let mut session = session(&ws);
    read(&mut session, "a/f");
    write(&mut session, "a/f", "two\n");
    fs::rename(root.join("a"), root.join("moved")).unwrap();
    fs::create_dir(root.join("copy")).unwrap();
    fs::write(root.join("copy/f"), "two\n").unwrap();
    std::os::unix::fs::symlink(root.join("copy"), root.join("a")).unwrap();

    let answer = session.call("undo", &json!({}));
    assert_eq!(answer.code, Some("FS_STALE_VERSION"), "{answer:?}");
    let detail = "\nThe path leads to another file now.";
    assert!(answer.text.ends_with(detail), "{}", answer.text);
    for file in ["copy/f", "moved/f"] {
        assert_eq!(fs::read_to_string(root.join(file)).unwrap(), "two\n");
    }
}

/// A write of what is there is no change; undo goes on to the one before.
#[test]
fn what_changed_nothing_is_not_taken_back() {
    let ws = Workspace::remembering();
    fs::write(ws.inside("a"), "one\n").unwrap();
    let mut session = session(&ws);
    read(&mut session, "a");
    write(&mut session, "a", "two\n");
    write(&mut session, "a", "two\n");
    assert_eq!(undo(&mut session), None);
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "one\n");
}

/// What a person allowed once outside is not taken back without being asked again.
#[test]
fn undo_outside_asks_a_person() {
    let ws = Workspace::remembering();
    fs::write(ws.outside("a"), "one\n").unwrap();
    let person = Person::who(Decision::AllowedOnce);
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.approver = Some(person.clone());
    let mut session = SHIPPED.session(options).unwrap();
    let path = ws.outside("a");
    read(&mut session, &path);
    let wider = json!({"sandbox_permissions": "danger-full-access", "justification": "why not"});
    let mut args = wider.clone();
    args["file_path"] = json!(path);
    args["content"] = json!("two\n");
    assert!(session.call("write", &args).ok);

    assert_eq!(undo(&mut session), Some("FS_SANDBOX_DENIED"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "two\n");
    let answer = session.call("undo", &wider);
    assert!(answer.ok, "{answer:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
    assert_eq!(person.questions()[1].tool, "undo");
}

#[test]
fn what_cannot_be_taken_back_is_refused_with_the_reason() {
    let ws = Workspace::remembering();
    let mut session = session(&ws);
    let cases = |session: &mut Session| session.call("undo", &json!({})).text;
    let none = "Error: cannot undo: there is no change of this session that could be taken back";
    assert_eq!(cases(&mut session), none);
    let ws = Workspace::new();
    let mut session = self::session(&ws);
    write(&mut session, "new", "x");
    write(&mut session, "new", "y");
    assert_eq!(
        cases(&mut session),
        "Error: cannot undo: no old texts are kept"
    );
}

fn exists(ws: &Workspace, name: &str) -> bool {
    fs::exists(ws.inside(name)).unwrap()
}

/// Without a history too: nothing has to be brought back.
#[test]
fn undo_of_a_creation_removes_the_file() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "one\n").unwrap();
    let mut session = session(&ws);
    read(&mut session, "a");
    write(&mut session, "first", "1");
    write(&mut session, "d/new", "x");

    let answer = session.call("undo", &json!({}));
    assert!(answer.ok, "{answer:?}");
    let path = ws.inside("d/new");
    let text =
        format!("Took back the last change of {path}, which created it: the file is removed.");
    assert_eq!(answer.text, text);
    let facts = answer.value.expect("facts");
    assert_eq!(facts["operation"], "remove");
    assert_eq!(facts["grade"], "lease-checked");
    assert!(facts["version"].is_null() && facts["previousVersion"].is_string());
    assert!(!exists(&ws, "d/new") && exists(&ws, "d"));
    let event = [
        "published",
        "\"operation\":\"remove\"",
        "\"tool\":\"undo\"",
        "if-version",
    ];
    assert_eq!(ws.audit.count(&event), 1);
    assert_eq!(ws.audit.count(&["call-failed"]), 0);

    // The next undo goes on with the change before.
    assert_eq!(undo(&mut session), None);
    assert!(!exists(&ws, "first") && exists(&ws, "a"));
    assert_eq!(undo(&mut session), Some("INVALID_ARGUMENTS"));
}

/// Fails when the component is not told: it still demands the version that it made.
#[test]
fn what_was_removed_can_be_created_again() {
    let ws = Workspace::remembering();
    let mut session = session(&ws);
    write(&mut session, "a", "one\n");
    write(&mut session, "a", "two\n");
    assert_eq!((undo(&mut session), undo(&mut session)), (None, None));
    assert!(!exists(&ws, "a"));
    write(&mut session, "a", "again\n");
    assert_eq!(undo(&mut session), None);
    assert!(!exists(&ws, "a"));
}

/// Fails when the read by which the component learns of a removal looks at the disk: then
/// what somebody has made there since counts as seen, and may be replaced.
#[test]
fn what_is_made_after_a_removal_is_not_seen() {
    let ws = Workspace::new();
    let path = ws.inside("a");
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.audit = std::sync::Arc::new(MadeAnew(path.clone().into()));
    let mut session = SHIPPED.session(options).unwrap();
    write(&mut session, "a", "mine");
    assert_eq!(undo(&mut session), None);
    let answer = session.call("write", &json!({"file_path": "a", "content": "x"}));
    assert_eq!(answer.code, Some("FS_NOT_OBSERVED"));
    assert_eq!(fs::read_to_string(path).unwrap(), "theirs");
}

/// Makes a file as soon as one was removed.
struct MadeAnew(std::path::PathBuf);

impl AuditSink for MadeAnew {
    fn record(&self, record: &Record<'_>) {
        if let Event::Published {
            operation: "remove",
            ..
        } = record.event
        {
            fs::write(&self.0, "theirs").unwrap();
        }
    }
}

#[test]
fn undo_of_a_creation_drops_no_later_work() {
    let ws = Workspace::remembering();
    let mut session = session(&ws);
    write(&mut session, "a", "one\n");
    fs::write(ws.inside("a"), "one\nmine\n").unwrap();
    read(&mut session, "a");
    let answer = session.call("undo", &json!({}));
    assert_eq!(answer.code, Some("FS_STALE_VERSION"), "{answer:?}");
    assert!(
        answer.text.contains("that would be lost"),
        "{}",
        answer.text
    );
    assert!(answer.text.ends_with("+ 2: mine"), "{}", answer.text);
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "one\nmine\n");
    fs::write(ws.inside("a"), "one\n").unwrap();
    assert_eq!(undo(&mut session), None);
}

/// A file that is gone already does not stand in the way of the changes before it.
#[test]
fn a_created_file_that_is_gone_is_passed_over() {
    let ws = Workspace::new();
    let mut session = session(&ws);
    write(&mut session, "a", "one\n");
    write(&mut session, "b", "two\n");
    fs::remove_file(ws.inside("b")).unwrap();
    let answer = session.call("undo", &json!({}));
    assert_eq!(answer.code, Some("FS_NOT_FOUND"));
    assert!(answer.text.contains("gone already"), "{}", answer.text);
    assert_eq!(undo(&mut session), None);
    assert!(!exists(&ws, "a"));
}

/// Fails when the removal is made through another handle than that of the component.
#[test]
fn undo_of_a_creation_stands_under_the_mode_of_now() {
    let ws = Workspace::new();
    let mut session = session(&ws);
    write(&mut session, "a", "one\n");
    session.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    assert_eq!(undo(&mut session), Some("FS_SANDBOX_DENIED"));
    assert!(exists(&ws, "a"));
    session
        .set_mode(Mode::WorkspaceWrite, ModeSource::User)
        .unwrap();
    assert_eq!(undo(&mut session), None);
}

/// The question says that the file is removed. Fails when it names a change.
#[test]
fn undo_of_a_creation_outside_asks_to_remove() {
    let ws = Workspace::new();
    let person = Person::who(Decision::AllowedOnce);
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.approver = Some(person.clone());
    let mut session = SHIPPED.session(options).unwrap();
    let path = ws.outside("a");
    let wider = json!({"sandbox_permissions": "danger-full-access", "justification": "why not"});
    let mut args = wider.clone();
    args["file_path"] = json!(path);
    args["content"] = json!("two\n");
    assert!(session.call("write", &args).ok);

    assert_eq!(undo(&mut session), Some("FS_SANDBOX_DENIED"));
    assert!(fs::exists(&path).unwrap());
    let answer = session.call("undo", &wider);
    assert!(answer.ok, "{answer:?}");
    assert!(!fs::exists(&path).unwrap());
    let questions = person.questions();
    assert!(!removes(&questions[0]) && removes(&questions[1]));
    let words = dsh_fs_runtime::wording::question(&questions[1]);
    assert!(words.contains("It removes the file"), "{words}");
}

fn removes(question: &Question) -> bool {
    let change = question.change.as_ref();
    change.is_some_and(|change| change.kind == ChangeKind::Removes)
}

/// Fails when `check_undo` is not called for a removal: a copy has the same content.
#[test]
fn undo_removes_no_other_file_under_the_old_path() {
    let ws = Workspace::new();
    let root = ws.base().join("ws");
    let mut session = session(&ws);
    write(&mut session, "a/f", "one\n");
    fs::rename(root.join("a"), root.join("moved")).unwrap();
    fs::create_dir(root.join("copy")).unwrap();
    fs::write(root.join("copy/f"), "one\n").unwrap();
    std::os::unix::fs::symlink(root.join("copy"), root.join("a")).unwrap();
    assert_eq!(undo(&mut session), Some("FS_STALE_VERSION"));
    for file in ["copy/f", "moved/f"] {
        assert_eq!(fs::read_to_string(root.join(file)).unwrap(), "one\n");
    }
}
