//! The registry of workspaces, over real directories.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at directories by path"
)]

use std::fs;
use std::os::unix::fs::symlink;

use dsh_fs::types::Mode;
use dsh_fs_state::{NewSession, Status, Store, Workspaces};
use tempfile::TempDir;

/// Directories `a` and `b`, a link `l` to `a`, a file `f`; and a database.
struct Ground {
    folder: TempDir,
    store: Store,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        for name in ["a", "b"] {
            fs::create_dir(folder.path().join(name)).expect("a directory");
        }
        symlink("a", folder.path().join("l")).expect("a link");
        fs::write(folder.path().join("f"), "x").expect("a file");
        let store = Store::in_memory().expect("a database");
        Self { folder, store }
    }

    fn path(&self, name: &str) -> String {
        let root = self.folder.path().canonicalize().expect("a folder");
        root.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn session(&self, name: &str, cwd: &str) {
        let cwd = self.path(cwd);
        self.store
            .start_session(&NewSession {
                name,
                cwd: &cwd,
                mode: Mode::ReadOnly,
                seed: (1, 2),
            })
            .expect("a session");
    }

    fn registry(&self) -> Workspaces {
        self.store.workspaces().expect("a registry")
    }
}

#[test]
fn a_second_spelling_finds_the_first() {
    let ground = Ground::new();
    let registry = ground.registry();
    let first = registry.create(&ground.path("a"), None).expect("made");
    assert_eq!(first.title, "a");
    for spelling in ["l", "a/", "b/../a", "l/."] {
        let again = registry.create(&ground.path(spelling), Some("other"));
        assert_eq!(again.expect("found"), first, "{spelling}");
    }
    assert_eq!(registry.list().expect("all").len(), 1);
    for (spelling, code) in [
        ("f", "WORKSPACE_NO_DIRECTORY"),
        ("none", "WORKSPACE_NO_DIRECTORY"),
    ] {
        let refused = registry.create(&ground.path(spelling), None);
        assert_eq!(refused.expect_err("refused").code(), code);
    }
}

/// Fails without the call of `attach_new` in `start_session`.
#[test]
fn a_new_session_is_attached_to_the_workspace_of_its_directory() {
    let ground = Ground::new();
    let registry = ground.registry();
    let a = registry.create(&ground.path("a"), None).expect("made");
    ground.session("s1", "a");
    ground.session("s2", "a");
    ground.session("elsewhere", "b");
    let now = registry.get(&a.id).expect("read").expect("there");
    assert_eq!(now.sessions, ["s2", "s1"]);
    let record = ground.store.session("s1").expect("read").expect("there");
    assert_eq!(record.workspace, Some(a.id));
}

/// Each fails without its line in `sessions::check`.
#[test]
fn only_sessions_of_the_directory_are_attached() {
    let ground = Ground::new();
    ground.session("other", "b");
    ground.session("gone", "gone");
    ground.session("file", "f");
    ground.session("link", "l");
    let registry = ground.registry();
    let a = registry.create(&ground.path("a"), None).expect("made");
    let why = |session: &str| {
        registry
            .attach(&a.id, session)
            .expect_err("refused")
            .to_string()
    };
    assert!(why("ghost").contains("session 'ghost'"));
    assert!(why("gone").contains("does not resolve"));
    assert!(why("file").contains("is not a directory"));
    assert!(why("other").contains(&format!("its cwd resolves to '{}'", ground.path("b"))));
    let attached = registry.attach(&a.id, "link").expect("attached");
    assert_eq!(attached.sessions, ["link"]);
}

#[test]
fn the_first_use_makes_workspaces_of_the_sessions_that_are_there() {
    let ground = Ground::new();
    ground.session("a1", "a");
    std::thread::sleep(std::time::Duration::from_millis(5));
    ground.session("b1", "b");
    ground.session("gone", "gone");
    let registry = ground.registry();
    let all = registry.list().expect("all");
    let told: Vec<_> = all
        .iter()
        .map(|one| (one.title.as_str(), one.sessions.clone()))
        .collect();
    assert_eq!(
        told,
        [("b", vec!["b1".to_owned()]), ("a", vec!["a1".to_owned()])]
    );
    // Once: a workspace that was deleted does not come back.
    registry.delete(&all[0].id).expect("deleted");
    assert_eq!(ground.registry().list().expect("all").len(), 1);
    assert!(ground.store.session("b1").expect("read").is_some());
}

/// Fails without `prune`, and without the exception for a directory that is gone.
#[test]
fn sessions_that_went_elsewhere_are_hidden_and_then_removed() {
    let ground = Ground::new();
    ground.session("s", "l");
    let registry = ground.registry();
    let a = registry
        .resolve(&ground.path("a"))
        .expect("read")
        .expect("made");
    assert_eq!(a.sessions, ["s"]);
    let link = ground.folder.path().join("l");
    fs::remove_file(&link).expect("removed");
    symlink("b", &link).expect("a link");
    assert!(
        registry
            .get(&a.id)
            .expect("read")
            .expect("there")
            .sessions
            .is_empty()
    );
    symlink("a", ground.folder.path().join("l2")).expect("a link");
    registry.retitle(&a.id, "T").expect("changed");
    fs::remove_file(&link).expect("removed");
    symlink("a", &link).expect("a link");
    assert!(
        registry
            .get(&a.id)
            .expect("read")
            .expect("there")
            .sessions
            .is_empty()
    );
}

#[test]
fn the_status_is_of_now_and_changes_nothing() {
    let ground = Ground::new();
    ground.session("s", "a");
    let registry = ground.registry();
    let a = registry
        .resolve(&ground.path("a"))
        .expect("read")
        .expect("made");
    let folder = ground.folder.path().join("a");
    fs::remove_dir(&folder).expect("removed");
    assert_eq!(registry.status(&a.id).expect("known"), Status::MissingDir);
    registry.retitle(&a.id, "kept").expect("changed");
    fs::create_dir(&folder).expect("made");
    assert_eq!(registry.status(&a.id).expect("known"), Status::Ok);
    let back = registry.get(&a.id).expect("read").expect("there");
    assert_eq!(back.sessions, ["s"]);
}

/// The last comparison fails where `Workspaces::changed` writes without a change.
#[test]
fn orders_are_changed_ahead_of_an_anchor() {
    let ground = Ground::new();
    for name in ["s1", "s2", "s3"] {
        ground.session(name, "a");
    }
    let registry = ground.registry();
    let a = registry
        .resolve(&ground.path("a"))
        .expect("read")
        .expect("made");
    let b = registry.create(&ground.path("b"), None).expect("made");
    let moved = |session: &str, before: Option<&str>| {
        let moved = registry.move_session(&a.id, session, before);
        moved.map(|workspace| workspace.sessions.concat())
    };
    let first = a.sessions[0].as_str();
    moved("s1", Some(first)).expect("moved");
    moved("s2", None).expect("moved");
    let order = moved("s3", Some("s3")).expect("as it was");
    assert!(order.ends_with("s2"), "{order}");
    let stamp = || {
        registry
            .get(&a.id)
            .expect("read")
            .expect("there")
            .updated_ms
    };
    let before = stamp();
    moved("s2", None).expect("as it was");
    assert_eq!(stamp(), before);
    let code = |result: Result<_, dsh_fs_state::StateError>| {
        result.map(drop).expect_err("refused").to_string()
    };
    assert!(code(moved("ghost", None)).contains("the session is not accounted"));
    assert!(code(moved("s1", Some("ghost"))).contains("the anchor session is not accounted"));
    let order = registry.move_before(&a.id, Some(&b.id)).expect("moved");
    assert_eq!(order[0].id, a.id);
    assert_eq!(registry.list().expect("all"), order);
}

#[test]
fn sessions_are_put_aside_and_taken_back() {
    let ground = Ground::new();
    ground.session("s1", "a");
    ground.session("s2", "a");
    let registry = ground.registry();
    registry.archive("s2").expect("put aside");
    assert_eq!(registry.archive("s1").expect("put aside"), ["s2", "s1"]);
    assert_eq!(registry.archive("s2").expect("as it was"), ["s2", "s1"]);
    let refused = registry.archive("ghost").expect_err("refused");
    assert!(refused.to_string().contains("session 'ghost'"), "{refused}");
    assert_eq!(registry.unarchive("s2").expect("taken back"), ["s1"]);
}
