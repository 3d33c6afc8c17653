//! Reads beside a session, and what they have seen taken over.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Limits, ModeSource, SessionOptions};
use serde_json::json;

use crate::forger::Forger;
use crate::workspace::{SHIPPED, Workspace};

#[test]
fn what_a_reader_has_seen_counts_once_it_was_absorbed() {
    let ws = Workspace::new();
    for name in ["a", "b"] {
        fs::write(ws.inside(name), "old\n").expect("a file");
    }
    let mut session = ws.session(Mode::WorkspaceWrite);
    assert!(session.call("read", &json!({"file_path": "a"})).ok);
    let mut reader = session.reader().expect("a reader");
    let edit = |name| json!({"file_path": name, "old_string": "old", "new_string": "new"});
    assert_eq!(
        reader.call("edit", &edit("a")).code,
        Some("FS_NOT_OBSERVED")
    );
    assert!(reader.call("read", &json!({"file_path": "b"})).ok);
    assert_eq!(
        session.call("edit", &edit("b")).code,
        Some("FS_NOT_OBSERVED")
    );
    session.absorb(&mut reader).expect("one seed");
    for name in ["a", "b"] {
        assert!(session.call("edit", &edit(name)).ok, "{name}");
    }
}

/// A reader that read before a change never has the change replaced unseen.
#[test]
fn an_old_observation_of_a_reader_ends_in_a_refusal() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "one\n").expect("a file");
    let mut session = ws.session(Mode::WorkspaceWrite);
    let mut reader = session.reader().expect("a reader");
    for side in [&mut session, &mut reader] {
        assert!(side.call("read", &json!({"file_path": "a"})).ok);
    }
    let write = |content| json!({"file_path": "a", "content": content});
    assert!(session.call("write", &write("two\n")).ok);
    session.absorb(&mut reader).expect("one seed");
    let answer = session.call("write", &write("three\n"));
    assert_eq!(answer.code, Some("FS_STALE_VERSION"));
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "two\n");
}

#[test]
fn a_reader_is_the_same_session() {
    let ws = Workspace::new();
    let mut session = ws.session(Mode::ReadOnly);
    session
        .set_mode(Mode::WorkspaceWrite, ModeSource::User)
        .expect("a mode");
    let mut reader = session.reader().expect("a reader");
    assert_eq!(reader.mode(), Mode::WorkspaceWrite);
    assert_eq!(reader.policy().unwrap(), session.policy().unwrap());
    assert_eq!(reader.seed(), session.seed());
    assert_eq!(ws.audit.count(&["session-started"]), 1);
    assert_eq!(ws.audit.count(&["mode-changed"]), 1);
}

/// Fails where `start.rs` tells the component another seed than that of its options.
#[test]
fn two_sessions_of_one_seed_exchange_pages_and_others_do_not() {
    let ws = Workspace::new();
    for name in ["a", "b"] {
        fs::write(ws.inside(name), "old\n").expect("a file");
    }
    let seen = |seed: Option<(u64, u64)>, name| {
        let options = SessionOptions {
            seed,
            ..ws.options(Mode::WorkspaceWrite)
        };
        let mut session = SHIPPED.session(options).expect("a session");
        assert!(session.call("read", &json!({"file_path": name})).ok);
        session
    };
    let mut session = seen(Some((1, 2)), "a");
    session
        .absorb(&mut seen(Some((1, 2)), "b"))
        .expect("one seed");
    let edit = json!({"file_path": "b", "old_string": "old", "new_string": "new"});
    assert!(session.call("edit", &edit).ok);
    let error = session.absorb(&mut seen(None, "b")).expect_err("another");
    assert_eq!(error.code.name(), "INVALID_ARGUMENTS");
}

#[test]
fn a_session_that_has_ended_has_no_reader() {
    let ws = Workspace::new();
    let runtime = Forger::new().runtime(Limits::default());
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    assert!(!session.call("read", &json!({"file_path": "a"})).ok);
    let error = session.reader().err().expect("it has ended");
    assert_eq!(error.code.name(), "COMPONENT_TRAPPED");
}
