//! Replacing a file that was seen.

use std::fs;
use std::os::unix::fs::MetadataExt;

use dsh_fs::error::Code;
use dsh_fs::types::{Grade, Operation, WriteGuard};

use crate::tree::{Tree, access_list, code, give_to_nobody, unprivileged};

#[test]
fn the_version_that_was_seen_is_replaced() {
    let tree = Tree::new();
    tree.put("a", "old");
    let seen = tree.version("a");
    let made = tree.replace("a", "new").expect("replaced");
    assert_eq!(made.operation, Operation::Update);
    assert_eq!((made.grade, made.grade_reason), (Grade::LeaseChecked, None));
    assert_eq!(made.before.as_deref(), Some("old"));
    assert_eq!(made.previous.as_deref(), Some(seen.as_str()));
    assert_eq!(made.version, tree.version("a"));
    assert_eq!(
        (tree.content("a"), tree.names()),
        ("new".to_owned(), vec!["a".to_owned()])
    );
}

#[test]
fn another_version_is_stale() {
    let tree = Tree::new();
    tree.put("a", "old");
    let guard = WriteGuard::ReplaceIfVersion("nonsense".to_owned());
    let stale = tree.write("a", "new", &guard).expect_err("stale");
    assert_eq!(stale.code, Code::StaleVersion);
    assert!(
        stale.message.ends_with("file changed since it was read"),
        "{stale}"
    );
    let gone = tree.write("b", "new", &guard).expect_err("gone");
    assert_eq!(gone.code, Code::StaleVersion);
    assert!(gone.message.ends_with("file no longer exists"), "{gone}");
    assert_eq!(tree.names(), ["a"]);
}

#[test]
fn without_a_guard_it_is_replaced_or_created() {
    let tree = Tree::new();
    tree.put("a", "old");
    for (name, operation) in [("a", Operation::Update), ("b", Operation::Create)] {
        let made = tree
            .write(name, "new", &WriteGuard::Unconditional)
            .expect("written");
        assert_eq!(
            (made.operation, tree.content(name)),
            (operation, "new".to_owned())
        );
    }
}

#[test]
fn mode_owner_and_attributes_stay() {
    let tree = Tree::new();
    let path = tree.put("a", "old");
    let attribute = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(&path, "user.note", b"kept", attribute).expect("attributes work here");
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&path, Some(1000), Some(1001)).expect("chown");
    }
    tree.set_mode("a", 0o6751);
    let before = fs::metadata(&path).expect("there");
    tree.replace("a", "new").expect("replaced");
    let after = fs::metadata(&path).expect("there");
    assert_eq!((before.uid(), before.gid()), (after.uid(), after.gid()));
    assert_eq!(before.mode(), after.mode());
    let mut value = [0; 8];
    let length = rustix::fs::getxattr(&path, "user.note", &mut value[..]).expect("kept");
    assert_eq!(&value[..length], b"kept");
}

/// Fails when `Old::permit` is taken away.
#[test]
fn permission_is_that_of_a_write_in_place() {
    let tree = Tree::quick();
    for (name, mode) in [("a", 0o444), ("set", 0o4775), ("d/a", 0o644)] {
        tree.put(name, "old");
        give_to_nobody(&tree, name);
        tree.set_mode(name, mode);
    }
    give_to_nobody(&tree, "");
    tree.set_mode("d", 0o555);
    give_to_nobody(&tree, "d");
    let done = unprivileged(|| {
        assert_eq!(code(tree.replace("a", "new")), Code::PermissionDenied);
        assert_eq!(code(tree.replace("d/a", "new")), Code::PermissionDenied);
        tree.replace("set", "new").expect("replaced");
    });
    if done.is_some() {
        assert_eq!(
            (tree.content("a"), tree.content("d/a")),
            ("old".into(), "old".into())
        );
        assert_eq!(
            tree.mode("set"),
            0o775,
            "set-id bits go, as with a write in place"
        );
        assert_eq!(tree.names(), ["a", "d/", "d/a", "set"]);
    }
    tree.set_mode("d", 0o755);
}

/// Fails when the count of links is not looked at.
#[test]
fn a_file_with_other_names_is_refused() {
    let tree = Tree::new();
    tree.put("a", "old");
    fs::hard_link(tree.path("a"), tree.path("b")).expect("linked");
    let refused = tree.replace("a", "new").expect_err("hard link");
    assert_eq!(refused.code, Code::PermissionDenied);
    assert!(refused.message.contains("2 hard links"), "{refused}");
    assert_eq!(tree.content("b"), "old");
}

/// Fails when the content is not compared again under the lease.
#[test]
fn touch_is_not_stale() {
    let tree = Tree::new();
    let path = tree.put("a", "old");
    let version = tree.version("a");
    tree.set_mode("a", 0o600);
    fs::write(&path, "old").expect("the same again");
    let guard = WriteGuard::ReplaceIfVersion(version);
    tree.write("a", "new", &guard)
        .expect("the content is the version");
    assert_eq!(tree.mode("a"), 0o600);
}

fn list_of(tree: &Tree, name: &str) -> Option<Vec<u8>> {
    let mut value = [0; 256];
    let path = tree.path(name);
    let length = rustix::fs::getxattr(path, "system.posix_acl_access", &mut value[..]).ok()?;
    Some(value[..length].to_vec())
}

/// A new file gets the default list of its directory; a replaced one keeps its own, or
/// none. Fails when attributes that a directory gives are not taken away again.
#[test]
fn access_control_lists() {
    let tree = Tree::quick();
    for name in ["bare", "listed"] {
        tree.put(name, "old");
        tree.set_mode(name, 0o640);
    }
    let none = rustix::fs::XattrFlags::empty();
    let own = access_list(1001);
    let listed = tree.path("listed");
    if rustix::fs::setxattr(&listed, "system.posix_acl_access", &own, none).is_err() {
        return; // This file system has no lists.
    }
    let default = access_list(1002);
    rustix::fs::setxattr(tree.root(), "system.posix_acl_default", &default, none).expect("set");
    for name in ["bare", "listed"] {
        tree.replace(name, "new").expect("replaced");
    }
    tree.create("new", "x").expect("created");
    assert_eq!((list_of(&tree, "bare"), tree.mode("bare")), (None, 0o640));
    assert_eq!(list_of(&tree, "listed"), Some(own));
    assert_eq!(
        (list_of(&tree, "new"), tree.mode("new")),
        (Some(default), 0o660)
    );
}

/// Fails when an unreadable directory cannot be written to, or its missing sync is not
/// told.
#[test]
fn a_directory_that_cannot_be_read_is_told() {
    let tree = Tree::new();
    tree.put("d/a", "old");
    for name in ["", "d", "d/a"] {
        give_to_nobody(&tree, name);
    }
    tree.set_mode("d", 0o333);
    let made = unprivileged(|| {
        let made = tree
            .write("d/a", "new", &WriteGuard::Unconditional)
            .expect("written");
        (made.grade, made.grade_reason)
    });
    tree.set_mode("d", 0o755);
    let Some((grade, reason)) = made else { return };
    assert_eq!(grade, Grade::LeaseChecked);
    assert!(reason.is_some_and(|reason| reason.contains("could not be synced")));
    assert_eq!(
        (tree.content("d/a"), tree.names()),
        ("new".into(), vec!["d/".into(), "d/a".into()])
    );
}
