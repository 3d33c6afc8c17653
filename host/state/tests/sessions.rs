//! Sessions, their memory, their grants, and the file that they are in.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use dsh_fs::types::Mode;
use dsh_fs_state::{ModeSource, NewGrant, NewSession, Scope, Store};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

fn open(folder: &TempDir) -> Store {
    Store::open(&folder.path().join("state.db")).expect("a database")
}

fn new<'a>(name: &'a str, cwd: &'a str) -> NewSession<'a> {
    NewSession {
        name,
        cwd,
        mode: Mode::ReadOnly,
        seed: (u64::MAX, 7),
    }
}

fn texts(pages: &[&str]) -> Vec<String> {
    pages.iter().map(|page| (*page).to_owned()).collect()
}

#[test]
fn a_session_is_taken_up_where_it_was_left() {
    let folder = folder();
    let first = open(&folder);
    first.start_session(&new("s", "/w")).expect("a session");
    first
        .append_mode("s", Mode::WorkspaceWrite, ModeSource::User)
        .expect("an event");
    first
        .save_memory("s", 0, &texts(&["one", "two"]), "changes")
        .expect("saved");
    drop(first);

    let later = open(&folder);
    let other_seed = NewSession {
        seed: (1, 1),
        ..new("s", "/w")
    };
    let session = later.start_session(&other_seed).expect("the session");
    assert_eq!(session.seed, (u64::MAX, 7));
    assert_eq!(session.mode(), Mode::WorkspaceWrite);
    let memory = later.memory("s").expect("its memory");
    assert_eq!(
        (memory.generation, memory.pages),
        (1, texts(&["one", "two"]))
    );
    assert_eq!(memory.changes, "changes");
}

/// Fails without the comparison in `start_session`.
#[test]
fn the_directory_of_a_session_never_changes() {
    let store = Store::in_memory().expect("a database");
    store.start_session(&new("s", "/w")).expect("a session");
    let refused = store.start_session(&new("s", "/elsewhere"));
    assert_eq!(refused.expect_err("refused").code(), "SESSION_ELSEWHERE");
    let kept = store.session("s").expect("readable").expect("there");
    assert_eq!(kept.cwd, "/w");
}

#[test]
fn names_are_checked() {
    let store = Store::in_memory().expect("a database");
    let long = "x".repeat(129);
    for name in ["", "a\nb", &long] {
        let refused = store.start_session(&new(name, "/w"));
        assert_eq!(refused.expect_err("refused").code(), "INVALID_ARGUMENTS");
    }
    let unknown = store.memory("none").expect_err("unknown");
    assert_eq!(unknown.code(), "UNKNOWN_SESSION");
}

/// Fails without the comparison in `save_memory`.
#[test]
fn of_two_that_save_at_once_one_is_told() {
    let folder = folder();
    let (one, other) = (open(&folder), open(&folder));
    one.start_session(&new("s", "/w")).expect("a session");
    assert_eq!(
        one.save_memory("s", 0, &texts(&["one"]), "")
            .expect("saved"),
        1
    );
    let refused = other.save_memory("s", 0, &texts(&["other"]), "");
    assert_eq!(refused.expect_err("refused").code(), "SESSION_MOVED");
    assert_eq!(other.memory("s").expect("memory").pages, texts(&["one"]));
}

#[test]
fn pages_that_are_gone_are_removed() {
    let store = Store::in_memory().expect("a database");
    store.start_session(&new("s", "/w")).expect("a session");
    store
        .save_memory("s", 0, &texts(&["a", "b", "c"]), "")
        .expect("saved");
    store
        .save_memory("s", 1, &texts(&["a", "x"]), "")
        .expect("saved");
    assert_eq!(store.memory("s").expect("memory").pages, texts(&["a", "x"]));
}

/// Fails when `fork_session` copies grants, or forgets the event.
#[test]
fn a_fork_inherits_mode_and_memory_and_no_grants() {
    let store = Store::in_memory().expect("a database");
    store.start_session(&new("s", "/w")).expect("a session");
    store
        .append_mode("s", Mode::WorkspaceWrite, ModeSource::User)
        .expect("an event");
    store
        .save_memory("s", 0, &texts(&["seen"]), "changes")
        .expect("saved");
    store
        .remember_grant(&grant(Scope::Session("s".into())))
        .expect("a grant");

    let child = store.fork_session("s", "child").expect("a fork");
    assert_eq!(
        (child.parent.as_deref(), child.cwd.as_str()),
        (Some("s"), "/w")
    );
    let events = store.mode_events("child").expect("events");
    let event = events.first().expect("an event");
    assert_eq!((events.len(), event.source), (1, ModeSource::Delegation));
    assert_eq!(event.mode, Mode::WorkspaceWrite);
    let memory = store.memory("child").expect("memory");
    assert_eq!(
        (memory.pages, memory.changes.as_str()),
        (texts(&["seen"]), "")
    );
    assert_eq!(used_by(&store, "child"), None);
    assert_eq!(used_by(&store, "s"), Some(1));
    let again = store.fork_session("s", "child").expect_err("refused");
    assert_eq!(again.code(), "SESSION_EXISTS");
}

fn grant(scope: Scope) -> NewGrant {
    NewGrant {
        scope,
        place: "the directory".into(),
        tool: "write".into(),
        key: "/out/file".into(),
        mode: Mode::DangerFullAccess,
    }
}

fn used_by(store: &Store, session: &str) -> Option<u64> {
    let mode = Mode::DangerFullAccess;
    let found = store.use_grant(session, "/w", "the directory", "write", "/out/file", mode);
    found.expect("an answer").map(|grant| grant.used)
}

/// Each line fails without the field that it changes in the `WHERE` of `use_grant`.
#[test]
fn a_grant_is_for_exactly_what_was_allowed() {
    let store = Store::in_memory().expect("a database");
    let full = Mode::DangerFullAccess;
    store
        .remember_grant(&grant(Scope::Workspace("/w".into())))
        .expect("a grant");
    let of = |root: &str, place: &str, tool: &str, key: &str, mode| {
        let found = store.use_grant("any", root, place, tool, key, mode);
        found.expect("an answer").is_some()
    };
    let find = |root: &str, tool: &str, key: &str, mode| of(root, "the directory", tool, key, mode);
    assert!(find("/w", "write", "/out/file", full));
    assert!(!find("/other", "write", "/out/file", full));
    assert!(!find("/w", "edit", "/out/file", full));
    assert!(!find("/w", "write", "/out/file2", full));
    assert!(!find("/w", "write", "/out/file", Mode::WorkspaceWrite));
    assert!(!of("/w", "another one", "write", "/out/file", full));
}

/// Fails without the `DELETE` in `remember_grant`: nothing new is remembered then, and the
/// old answer would hold again where the old directory comes back.
#[test]
fn an_answer_for_another_directory_of_the_path_takes_the_place_of_the_first() {
    let store = Store::in_memory().expect("a database");
    let mut given = grant(Scope::Workspace("/w".into()));
    let first = store.remember_grant(&given).expect("a grant");
    given.place = "another one".into();
    let second = store.remember_grant(&given).expect("a grant");
    assert!(second.id > first.id);
    assert_eq!(store.grants().expect("grants"), [second]);
}

#[test]
fn a_revoked_grant_is_gone_and_one_given_twice_is_one() {
    let store = Store::in_memory().expect("a database");
    let given = grant(Scope::Session("s".into()));
    let first = store.remember_grant(&given).expect("a grant");
    let second = store.remember_grant(&given).expect("the grant");
    assert_eq!(first.id, second.id);
    let revoked = store.revoke_grant(first.id).expect("an answer");
    assert_eq!(revoked.map(|record| record.id), Some(first.id));
    assert_eq!(store.revoke_grant(first.id).expect("an answer"), None);
    assert_eq!(used_by(&store, "s"), None);
    // The number of a revoked one is not given again, so that it cannot revoke another.
    assert!(store.remember_grant(&given).expect("a grant").id > first.id);
}

#[test]
fn a_forgotten_session_leaves_nothing() {
    let store = Store::in_memory().expect("a database");
    store.start_session(&new("s", "/w")).expect("a session");
    store
        .save_memory("s", 0, &texts(&["seen"]), "")
        .expect("saved");
    store
        .remember_grant(&grant(Scope::Session("s".into())))
        .expect("a grant");
    store.forget_session("s").expect("forgotten");
    assert!(store.session("s").expect("an answer").is_none());
    assert!(store.grants().expect("grants").is_empty());
    store
        .start_session(&new("s", "/elsewhere"))
        .expect("a new one");
    assert!(store.memory("s").expect("memory").pages.is_empty());
}

/// Fails when `lock_session` does not lock, or does not look at its flag.
#[test]
fn one_call_of_a_session_at_a_time() {
    let folder = folder();
    let (one, other) = (open(&folder), open(&folder));
    one.start_session(&new("s", "/w")).expect("a session");
    let held = one.lock_session("s", &|| false).expect("the lock");
    let withdrawn = other.lock_session("s", &|| true).expect_err("held");
    assert_eq!(withdrawn.code(), "FS_ABORTED");

    let released = AtomicBool::new(false);
    let (got, waits) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let lock = other.lock_session("s", &|| false).expect("the lock");
            got.send(released.load(Ordering::SeqCst))
                .expect("a receiver");
            drop(lock);
        });
        assert!(waits.recv_timeout(Duration::from_millis(100)).is_err());
        released.store(true, Ordering::SeqCst);
        drop(held);
        assert!(
            waits
                .recv_timeout(Duration::from_secs(20))
                .expect("the lock")
        );
    });
}

/// Each fails without its check in `file` or `store`; the bytes are looked at afterwards.
#[test]
fn a_file_that_is_not_ours_is_refused_and_left_alone() {
    let folder = folder();
    let path = folder.path().join("other");
    fs::write(&path, "a letter to somebody, and no database at all").expect("a file");
    private(&path);
    let before = fs::read(&path).expect("readable");
    assert_eq!(
        Store::open(&path).expect_err("refused").code(),
        "STATE_FOREIGN"
    );
    assert_eq!(fs::read(&path).expect("readable"), before);

    let path = folder.path().join("newer");
    drop(Store::open(&path).expect("a database"));
    let raw = rusqlite::Connection::open(&path).expect("a connection");
    raw.pragma_update(None, "user_version", 999).expect("set");
    drop(raw);
    assert_eq!(
        Store::open(&path).expect_err("refused").code(),
        "STATE_NEWER"
    );

    let path = folder.path().join("foreign");
    let raw = rusqlite::Connection::open(&path).expect("a connection");
    raw.execute_batch("CREATE TABLE theirs (x)")
        .expect("a table");
    drop(raw);
    private(&path);
    assert_eq!(
        Store::open(&path).expect_err("refused").code(),
        "STATE_FOREIGN"
    );
}

/// Fails without the look at the permissions in `file::make_private`.
#[test]
fn a_file_that_others_can_write_is_refused() {
    let folder = folder();
    let path = folder.path().join("state.db");
    drop(Store::open(&path).expect("a database"));
    let mode = fs::metadata(&path).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o620)).expect("set");
    assert_eq!(
        Store::open(&path).expect_err("refused").code(),
        "STATE_UNUSABLE"
    );
}

/// Fails without the look at the folder in `file::make_private`.
#[test]
fn a_folder_that_others_can_write_to_is_refused() {
    let folder = folder();
    let path = folder.path().join("state.db");
    for mode in [0o777, 0o1777, 0o770] {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("set");
        let refused = Store::open(&path).expect_err("refused");
        assert_eq!(refused.code(), "STATE_UNUSABLE");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
}

/// Fails where `file::make_private` follows a link.
#[test]
fn a_link_in_the_place_of_the_file_is_refused() {
    let folder = folder();
    drop(open(&folder));
    let path = folder.path().join("link.db");
    std::os::unix::fs::symlink("state.db", &path).expect("a link");
    let refused = Store::open(&path).expect_err("refused");
    assert_eq!(refused.code(), "STATE_UNUSABLE");
}

fn private(path: &std::path::Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("set");
}
