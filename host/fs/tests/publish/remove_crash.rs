//! A removal dies, or fails, at each system call; a later process comes to the same folder.

use std::fs;
use std::sync::Arc;

use dsh_fs::error::{Code, Error};
use dsh_fs::local::{Call, Durability, PublishOptions};
use dsh_fs::types::Removal;
use rustix::io::Errno;

use crate::remove::come_later;
use crate::tree::{Tree, quick};
use crate::watch::Script;

const ERRNOS: [Errno; 7] = [
    Errno::NOSPC,
    Errno::IO,
    Errno::DQUOT,
    Errno::ROFS,
    Errno::ACCESS,
    Errno::STALE,
    Errno::INTR,
];

/// Machines on which something does not exist.
const MACHINES: [&[(Call, Errno)]; 4] = [
    &[],
    &[(Call::TakeLease, Errno::INVAL)],
    &[(Call::RenameNew, Errno::INVAL)],
    &[
        (Call::TakeLease, Errno::INVAL),
        (Call::RenameNew, Errno::INVAL),
    ],
];

fn tree(script: &Arc<Script>, name: &str) -> Tree {
    let options = PublishOptions {
        durability: Durability::Full,
        ..quick()
    };
    let tree = Tree::with(options, Some(script.clone()));
    tree.put(name, "old");
    tree
}

/// The n-th call, and all later ones if the process is dead, fail with this.
fn fail(script: &Script, missing: &'static [(Call, Errno)], number: usize, how: (Errno, bool)) {
    let (mut count, (errno, dead)) = (0, how);
    script.ask(move |now| {
        count += 1;
        if count == number || dead && count > number {
            return Err(errno);
        }
        let found = missing.iter().find(|(call, _)| *call == now);
        found.map_or(Ok(()), |(_, errno)| Err(*errno))
    });
}

/// Whole under its name, or gone, and nothing else. Fails when `Tools::finish` is not
/// called.
#[test]
fn the_file_is_whole_or_gone_wherever_it_dies() {
    let longest = "n".repeat(255);
    for (missing, name) in MACHINES
        .into_iter()
        .flat_map(|machine| [(machine, "a"), (machine, longest.as_str())])
    {
        let (mut number, mut died, mut taken) = (1, 0, 0);
        loop {
            let script = Script::new();
            let tree = tree(&script, name);
            fail(&script, missing, number, (Errno::IO, true));
            let done = tree.remove(name).is_ok();
            let calls = script.log().len();
            let aside = tree
                .names()
                .iter()
                .any(|left| left.ends_with(&format!("/{name}")));
            taken += usize::from(aside);
            come_later(&tree);
            let names = tree.names();
            assert!(
                names.is_empty() || names == [name],
                "died at call {number}: {names:?}"
            );
            assert!(names.is_empty() || tree.content(name) == "old");
            if done && calls < number {
                break;
            }
            died += 1;
            number += 1;
        }
        assert!(
            died > 15 && taken > 0,
            "{died} deaths, {taken} while it was out"
        );
    }
}

/// An outside program renames its file into place right before ours is taken out, and we
/// die right after. Fails when `Tools::finish` removes whatever it finds.
#[test]
fn an_outside_change_is_put_back() {
    for missing in [MACHINES[0], MACHINES[2]] {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        let path = tree.put("a", "old");
        let theirs = tree.put("b", "theirs");
        let (mut dead, last) = (
            false,
            if missing.is_empty() {
                Call::RenameNew
            } else {
                Call::Rename
            },
        );
        script.ask(move |call| {
            if dead {
                return Err(Errno::IO);
            }
            if call == last {
                fs::rename(&theirs, &path).expect("renamed");
                dead = true;
            }
            let found = missing.iter().find(|(missing, _)| *missing == call);
            found.map_or(Ok(()), |(_, errno)| Err(*errno))
        });
        tree.remove("a").expect_err("dead");
        assert!(!tree.path("a").exists(), "it was out when we died");
        come_later(&tree);
        assert_eq!(
            (tree.names(), tree.content("a")),
            (vec!["a".into()], "theirs".into())
        );
    }
}

/// What is not a file at all is put back too.
#[test]
fn a_folder_that_came_out_is_put_back() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    let mut dead = false;
    script.ask(move |call| {
        if dead {
            return Err(Errno::IO);
        }
        if call == Call::RenameNew {
            fs::remove_file(&path).expect("removed");
            fs::create_dir(&path).expect("made");
            fs::write(path.join("f"), "theirs").expect("written");
            dead = true;
        }
        Ok(())
    });
    tree.remove("a").expect_err("dead");
    come_later(&tree);
    assert_eq!(tree.names(), ["a/", "a/f"]);
}

/// A directory of somebody else's that looks like a leftover, in a folder for everybody,
/// is left alone.
#[test]
fn leftovers_that_are_made_up_are_left_alone() {
    let tree = Tree::quick();
    let version = tree.secret.version_of(b"content");
    let made_up = format!(".dsh-fs-r-{version}-0123456789abcdef");
    tree.put(&format!("{made_up}/a"), "content");
    if std::os::unix::fs::chown(tree.path(&made_up), Some(1), None).is_err() {
        return println!("SKIPPED leftovers_that_are_made_up_are_left_alone: needs root");
    }
    tree.set_mode("", 0o1777);
    come_later(&tree);
    assert_eq!(tree.content(&format!("{made_up}/a")), "content");
}

fn check(tree: &Tree, result: &Result<Removal, Error>, errno: Errno, what: &str) {
    let names = tree.names();
    let Err(error) = result else {
        return assert!(names.is_empty(), "{what}: {names:?}");
    };
    assert_ne!(
        errno,
        Errno::INTR,
        "an interrupted call is repeated: {what}"
    );
    let clear = matches!(error.code, Code::IoError | Code::PermissionDenied);
    assert!(clear, "{what}: {error}");
    assert!(!error.message.contains(".dsh-fs"), "{what}: {error}");
    assert_eq!(names, ["a"], "{what}");
    assert_eq!(tree.content("a"), "old", "{what}");
}

/// Fails when `Aside` is not removed on drop, or when what was taken out is not put back
/// after an error.
#[test]
fn every_call_fails_once() {
    let mut failures = 0;
    for missing in MACHINES {
        let script = Script::new();
        let whole = tree(&script, "a");
        script.without(missing);
        whole.remove("a").expect("succeeds when nothing fails");
        for (index, call) in script.log().into_iter().enumerate() {
            for errno in ERRNOS {
                let script = Script::new();
                let tree = tree(&script, "a");
                fail(&script, missing, index + 1, (errno, false));
                let result = tree.remove("a");
                let what = format!("{call:?} (call {}) {errno:?}", index + 1);
                check(&tree, &result, errno, &what);
                failures += 1;
            }
        }
    }
    assert!(failures > 400, "{failures}");
}
