//! Files that cannot be replaced, where the embedder allows writing in place.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use dsh_fs::error::Code;
use dsh_fs::local::{Call, PublishOptions};
use dsh_fs::types::{Grade, Mutation, WriteGuard};
use rustix::io::Errno;

use crate::tree::{Tree, code, give_to_nobody, quick, unprivileged};
use crate::watch::Script;

fn allowed() -> PublishOptions {
    PublishOptions {
        in_place: true,
        ..quick()
    }
}

fn tree() -> Tree {
    Tree::with(allowed(), None)
}

fn watched(script: &Arc<Script>) -> Tree {
    Tree::with(allowed(), Some(script.clone()))
}

/// A file `a` that has another name, `b`.
fn link(tree: &Tree, content: &str) {
    let path = tree.put("a", content);
    fs::hard_link(path, tree.path("b")).expect("linked");
}

fn says_so(made: &Mutation) {
    let reason = made.grade_reason.as_deref().expect("a reason");
    assert_eq!(made.grade, Grade::BestEffort);
    assert!(reason.starts_with("written in place"), "{reason}");
    assert!(reason.contains("every other name"), "{reason}");
    assert!(reason.contains("neither the old content nor"), "{reason}");
}

/// Fails when `writes_in_place` is asked by nobody; the refusal without the option is held
/// by `a_file_with_other_names_is_refused`.
#[test]
fn a_change_reaches_every_name() {
    let tree = tree();
    link(&tree, "old and long");
    let inode = fs::metadata(tree.path("a")).expect("there").ino();
    let made = tree.replace("a", "new").expect("written");
    says_so(&made);
    assert_eq!(made.version, tree.version("a"));
    assert_eq!(
        (tree.content("a"), tree.content("b")),
        ("new".into(), "new".into())
    );
    says_so(&tree.edit("b", "new", "newer").expect("edited"));
    assert_eq!(tree.content("a"), "newer");
    assert_eq!(fs::metadata(tree.path("a")).expect("there").ino(), inode);
    assert_eq!(tree.names(), ["a", "b"]);
}

/// Fails when `writes_in_place` does not look at why it is asked: everything that can be
/// replaced still is.
#[test]
fn what_can_be_replaced_is_replaced() {
    let tree = tree();
    let path = tree.put("a", "old");
    let inode = fs::metadata(&path).expect("there").ino();
    let made = tree.replace("a", "new").expect("replaced");
    assert_eq!(made.grade, Grade::LeaseChecked);
    assert_ne!(fs::metadata(&path).expect("there").ino(), inode);
}

/// Fails when `FolderNotWritable` is left out of `writes_in_place`, or when without the
/// option it is not looked at.
#[test]
fn a_directory_where_nothing_can_be_made() {
    for options in [allowed(), quick()] {
        let in_place = options.in_place;
        let tree = Tree::with(options, None);
        for name in ["d/a", "d/readonly"] {
            tree.put(name, "old");
            give_to_nobody(&tree, name);
        }
        tree.set_mode("d/readonly", 0o444);
        give_to_nobody(&tree, "d");
        tree.set_mode("d", 0o555);
        unprivileged(|| {
            match in_place {
                true => says_so(&tree.replace("d/a", "new").expect("written")),
                false => assert_eq!(code(tree.replace("d/a", "new")), Code::PermissionDenied),
            }
            assert_eq!(
                code(tree.replace("d/readonly", "new")),
                Code::PermissionDenied
            );
            assert_eq!(code(tree.create("d/b", "new")), Code::PermissionDenied);
        });
        tree.set_mode("d", 0o755);
        let content = if in_place { "new" } else { "old" };
        assert_eq!(tree.content("d/a"), content);
        assert_eq!(tree.content("d/readonly"), "old");
        assert_eq!(tree.names(), ["d/", "d/a", "d/readonly"]);
    }
}

/// Fails when `MountedOn` is left out of `writes_in_place`. Needs the right to mount.
#[test]
fn a_file_that_is_mounted_on() {
    for options in [allowed(), quick()] {
        let in_place = options.in_place;
        let tree = Tree::with(options, None);
        let (a, b) = (tree.put("a", "hidden"), tree.put("b", "old"));
        if rustix::mount::mount_bind(&b, &a).is_err() {
            return;
        }
        let made = tree.replace("a", "new");
        let (shown, names) = (tree.content("a"), tree.names());
        rustix::mount::unmount(&a, rustix::mount::UnmountFlags::DETACH).expect("unmounted");
        match in_place {
            true => says_so(&made.expect("written")),
            false => assert!(made.expect_err("refused").message.contains("EBUSY")),
        }
        let content = if in_place { "new" } else { "old" };
        assert_eq!(
            (shown.as_str(), tree.content("b").as_str()),
            (content, content)
        );
        assert_eq!(
            (tree.content("a"), names),
            ("hidden".into(), vec!["a".into(), "b".into()])
        );
    }
}

/// Somebody writes to the file right before it is opened. Fails when `InPlace::compare`
/// compares no versions.
#[test]
fn what_was_not_seen_is_not_overwritten() {
    let script = Script::new();
    let tree = watched(&script);
    link(&tree, "old");
    let guard = WriteGuard::ReplaceIfVersion(tree.version("a"));
    let path = tree.path("b");
    script.at(Call::TakeLease, move || {
        fs::write(&path, "theirs").expect("written")
    });
    let stale = tree.write("a", "new", &guard).expect_err("stale");
    assert_eq!(stale.code, Code::StaleVersion);
    assert_eq!(tree.content("a"), "theirs");
}

/// Somebody renames a file over the name while the old one is written to. Fails when the
/// name is not looked at after the last byte: the change would be nowhere, and reported.
#[test]
fn a_file_renamed_into_place_meanwhile() {
    let script = Script::new();
    let tree = watched(&script);
    link(&tree, "old");
    let (theirs, path) = (tree.put("c", "theirs"), tree.path("a"));
    let guard = WriteGuard::ReplaceIfVersion(tree.version("a"));
    script.at(Call::Write, move || {
        fs::rename(&theirs, &path).expect("renamed")
    });
    let stale = tree.write("a", "new", &guard).expect_err("stale");
    assert_eq!(stale.code, Code::StaleVersion);
    assert_eq!(
        (tree.content("a"), tree.content("b")),
        ("theirs".into(), "old".into())
    );
}

/// Fails when no lease is asked for, or it is not told that it could not be had.
#[test]
fn others_wait_or_the_answer_says_that_they_do_not() {
    let script = Script::new();
    let tree = watched(&script);
    link(&tree, "old");
    let path = tree.path("b");
    let (sent, seen) = std::sync::mpsc::channel();
    script.at(Call::Write, move || {
        let opened = std::thread::spawn(move || fs::read_to_string(path).expect("read"));
        std::thread::sleep(std::time::Duration::from_millis(50));
        sent.send((opened.is_finished(), opened)).expect("heard");
    });
    let made = tree.replace("a", "new").expect("written");
    let (early, reader) = seen.recv().expect("sent");
    let reason = made.grade_reason.expect("a reason");
    assert!(!reason.contains("held off"), "{reason}");
    assert!(!early, "the reader waits");
    assert_eq!(reader.join().expect("no panic"), "new");
    let held = fs::File::open(tree.path("b")).expect("opened");
    let made = tree.replace("a", "newer").expect("written");
    assert!(
        made.grade_reason
            .expect("a reason")
            .contains("could not be held off")
    );
    drop(held);
}

/// Fails when the old bytes are not put back, or it is not told whether they were.
#[test]
fn a_failure_half_way_is_undone() {
    for (failing, restored) in [
        (Call::Truncate, true),
        (Call::Sync, true),
        (Call::Write, false),
    ] {
        let script = Script::new();
        let options = PublishOptions {
            in_place: true,
            ..PublishOptions::default()
        };
        let tree = Tree::with(options, Some(script.clone()));
        link(&tree, "the old content");
        let mut count = 0;
        script.ask(move |call| {
            count += usize::from(call == failing);
            match call == failing && (count == 1 || !restored) {
                true => Err(Errno::NOSPC),
                false => Ok(()),
            }
        });
        let failed = tree.replace("a", "new").expect_err("no space");
        assert_eq!(failed.code, Code::IoError);
        assert!(failed.message.contains("ENOSPC"), "{failed}");
        let told = match restored {
            true => "the old content was put back",
            false => "could not be put back",
        };
        assert!(failed.message.contains(told), "{failed}");
        assert_eq!(tree.content("b"), "the old content");
    }
}
