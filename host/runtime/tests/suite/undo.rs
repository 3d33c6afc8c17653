//! Taking changes back, and what a stale answer tells a model.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Decision, ModeSource, Session};
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
    write(&mut session, "new", "x");
    assert!(cases(&mut session).ends_with("and undo removes no files"));
    assert!(ws.base().join("ws/new").exists());

    let ws = Workspace::new();
    let mut session = self::session(&ws);
    write(&mut session, "new", "x");
    write(&mut session, "new", "y");
    assert_eq!(
        cases(&mut session),
        "Error: cannot undo: no old texts are kept"
    );
}
