//! Something happens to the target at a given moment of a mutation.

use std::fs;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::local::Call;
use dsh_fs::provider::Provider;
use dsh_fs::types::{EditGuard, Grade, WriteGuard};
use dsh_fs::within::Within;
use rustix::io::Errno;

use crate::tree::{TEXTS, Tree, code, edit, write};
use crate::watch::Script;

/// Fails when a create can replace.
#[test]
fn a_racing_creator_keeps_its_file() {
    let ways: [&[(Call, Errno)]; 3] = [
        &[],
        &[(Call::OpenUnnamed, Errno::OPNOTSUPP)],
        &[
            (Call::OpenUnnamed, Errno::OPNOTSUPP),
            (Call::RenameNew, Errno::INVAL),
        ],
    ];
    for missing in ways {
        for kind in ["file", "folder"] {
            let script = Script::new();
            let tree = Tree::watched(script.clone());
            let path = tree.path("a");
            script.ask(move |call| {
                if matches!(call, Call::LinkUnnamed | Call::RenameNew) && !path.exists() {
                    match kind {
                        "file" => fs::write(&path, "theirs").expect("written"),
                        _ => fs::create_dir(&path).expect("made"),
                    }
                }
                let found = missing.iter().find(|(name, _)| *name == call);
                found.map_or(Ok(()), |(_, errno)| Err(*errno))
            });
            let expected = match kind {
                "file" => Code::NotObserved,
                _ => Code::NotRegularFile,
            };
            assert_eq!(code(tree.create("a", "mine")), expected);
            let left = if kind == "file" { "a" } else { "a/" };
            assert_eq!(tree.names(), [left]);
        }
    }
}

#[test]
fn a_collision_that_is_gone_again_is_still_one() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    script.without(&[(Call::LinkUnnamed, Errno::EXIST)]);
    let refused = tree.create("a", "x").expect_err("a collision");
    assert_eq!(refused.code, Code::NotObserved);
    assert!(tree.names().is_empty());
}

#[test]
fn where_nothing_is_safe_nothing_is_made() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    script.without(&[
        (Call::OpenUnnamed, Errno::OPNOTSUPP),
        (Call::RenameNew, Errno::INVAL),
        (Call::Link, Errno::PERM),
    ]);
    let refused = tree.create("d/a", "x").expect_err("no way");
    assert_eq!(refused.code, Code::IoError);
    assert!(tree.names().is_empty());
}

/// Without the right to link an unnamed file, files are staged under names.
#[test]
fn an_unnamed_file_that_cannot_be_named_is_not_the_end() {
    for errno in [Errno::NOENT, Errno::PERM] {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        tree.put("b", "old");
        script.ask(move |call| match call {
            Call::LinkUnnamed => Err(errno),
            _ => Ok(()),
        });
        tree.create("a", "new").expect("created");
        tree.replace("b", "new").expect("replaced");
        let tries = script
            .log()
            .into_iter()
            .filter(|call| *call == Call::LinkUnnamed);
        assert_eq!(tries.count(), 1, "it is remembered");
        assert_eq!(tree.names(), ["a", "b"]);
    }
}

/// Whatever is done to the target between the first look and the exchange is not lost.
/// Fails when the content is not compared under the lease, when what came out of the
/// exchange is not looked at, or when it is not put back.
#[test]
fn changes_after_the_first_look_are_found() {
    for call in [Call::OpenUnnamed, Call::TakeLease, Call::Exchange] {
        for way in ["write", "rename", "remove", "folder"] {
            let script = Script::new();
            let tree = Tree::watched(script.clone());
            let path = tree.put("a", "old");
            let beside = tree.put("b", "theirs");
            // Under the lease, an opener would wait for us: that is another test.
            if call == Call::Exchange && way == "write" {
                continue;
            }
            script.at(call, move || match way {
                "write" => fs::write(&path, "theirs").expect("written"),
                "rename" => fs::rename(&beside, &path).expect("renamed"),
                "remove" => fs::remove_file(&path).expect("removed"),
                _ => {
                    fs::remove_file(&path).expect("removed");
                    fs::create_dir(&path).expect("made");
                }
            });
            let expected = match way {
                "folder" => Code::NotRegularFile,
                _ => Code::StaleVersion,
            };
            assert_eq!(code(tree.replace("a", "mine")), expected, "{call:?} {way}");
            let now = fs::read_to_string(tree.path("a")).ok();
            let theirs = matches!(way, "write" | "rename").then(|| "theirs".to_owned());
            assert_eq!(now, theirs, "{call:?} {way}");
            let names = tree.names();
            assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
        }
    }
}

/// Without a lease, a program writes to the old file right before the exchange. Fails
/// when the displaced content is not compared.
#[test]
fn a_best_effort_looks_at_what_it_displaced() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    script.ask(move |call| match call {
        Call::TakeLease => Err(Errno::INVAL),
        Call::Exchange => {
            // Once: the exchange back must find it as it is.
            if fs::read_to_string(&path).expect("readable") == "old" {
                fs::write(&path, "theirs").expect("written");
            }
            Ok(())
        }
        _ => Ok(()),
    });
    assert_eq!(code(tree.replace("a", "mine")), Code::StaleVersion);
    assert_eq!(
        (tree.content("a"), tree.names().len()),
        ("theirs".to_owned(), 1)
    );
}

/// A name that is a mount point (the kernel says EBUSY) is refused with the reason.
#[test]
fn a_mount_point_is_refused() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    tree.put("a", "old");
    script.without(&[(Call::Exchange, Errno::BUSY)]);
    let refused = tree.replace("a", "new").expect_err("busy");
    assert_eq!(refused.code, Code::PermissionDenied);
    assert!(refused.message.contains("mount point"), "{refused}");
    assert_eq!(
        (tree.content("a"), tree.names().len()),
        ("old".to_owned(), 1)
    );
}

/// A part of the metadata that cannot be carried over is named, and nothing happens.
#[test]
fn what_would_be_lost_is_named() {
    let parts = [
        (Call::ChangeOwner, Errno::PERM, "owner"),
        (Call::SetAttribute, Errno::PERM, "attribute user.note"),
        (Call::ChangeMode, Errno::PERM, "mode"),
    ];
    for (call, errno, what) in parts {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        let path = tree.put("a", "old");
        let none = rustix::fs::XattrFlags::empty();
        rustix::fs::setxattr(&path, "user.note", b"x", none).expect("set");
        if call == Call::ChangeOwner && std::os::unix::fs::chown(&path, Some(1), None).is_err() {
            continue;
        }
        script.ask(move |now| if now == call { Err(errno) } else { Ok(()) });
        let refused = tree.replace("a", "new").expect_err("would be lost");
        assert_eq!(refused.code, Code::PermissionDenied);
        assert!(refused.message.contains(what), "{refused}");
        assert_eq!(
            (tree.content("a"), tree.names().len()),
            ("old".to_owned(), 1)
        );
    }
}

/// A program opens the old file for writing while it is exchanged, and waits for the
/// lease. Fails when nobody is asked after the exchange.
#[test]
fn a_waiting_writer_writes_to_the_file_that_has_the_name() {
    for moment in [Call::StatAt, Call::AskLease] {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        let path = tree.put("a", "old");
        let held = fs::File::open(&path).expect("opened");
        let (mut leased, mut writer) = (false, None);
        let (sent, received) = std::sync::mpsc::channel();
        script.ask(move |call| {
            leased |= call == Call::TakeLease;
            if leased && call == moment && writer.is_none() {
                // By the descriptor: it has found the old file before the exchange.
                use std::os::fd::AsRawFd;
                let old = format!("/proc/self/fd/{}", held.as_raw_fd());
                let sent = sent.clone();
                writer = Some(std::thread::spawn(move || {
                    sent.send(()).expect("received");
                    fs::write(old, "theirs").expect("written");
                }));
                received.recv().expect("sent");
                std::thread::sleep(std::time::Duration::from_millis(30));
            }
            Ok(())
        });
        assert_eq!(
            code(tree.replace("a", "mine")),
            Code::StaleVersion,
            "{moment:?}"
        );
        assert_eq!(tree.content("a"), "theirs", "{moment:?}");
        assert_eq!(tree.names(), ["a"]);
    }
}

/// Somebody writes to our file in the moment in which it had the name, and then it is
/// taken back: both changes are kept, and the newest has the name.
#[test]
fn a_change_of_ours_is_not_taken_back() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    let mut exchanged = 0;
    script.ask(move |call| {
        exchanged += usize::from(call == Call::Exchange);
        if exchanged == 1 && call == Call::AskLease {
            fs::write(&path, "theirs, on ours").expect("written");
            return Err(Errno::IO);
        }
        Ok(())
    });
    assert_eq!(code(tree.replace("a", "mine")), Code::StaleVersion);
    assert_eq!(tree.content("a"), "theirs, on ours");
    let names = tree.names();
    let kept = names.iter().find(|name| name.starts_with(".dsh-fs-x-"));
    assert_eq!(tree.content(kept.expect("kept")), "old");
}

/// Fails when metadata that changed during staging is not carried over again.
#[test]
fn a_change_of_mode_during_staging_is_kept() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    script.at(Call::TakeLease, move || {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o751);
        fs::set_permissions(path, mode).expect("chmod");
    });
    tree.replace("a", "new")
        .expect("the content is the version");
    assert_eq!(tree.mode("a"), 0o751);
}

#[test]
fn an_edit_cancelled_after_staging_says_write() {
    let (script, cancel) = (Script::new(), Cancel::new());
    let tree = Tree::watched(script.clone());
    tree.put("a", "abc");
    let flag = cancel.clone();
    script.at(Call::LinkUnnamed, move || flag.cancel());
    let edit = edit("b", "x", false);
    let aborted = tree.edit_with("a", &edit, &EditGuard::Unconditional, &cancel);
    let aborted = aborted.expect_err("cancelled");
    assert_eq!(
        (aborted.code, aborted.message.as_str()),
        (Code::Aborted, "write aborted")
    );
    assert_eq!(
        (tree.content("a"), tree.names().len()),
        ("abc".to_owned(), 1)
    );
}

/// Each cancellation at each call: nothing happened, or all of it.
#[test]
fn a_cancellation_at_any_call_is_clean() {
    for number in 0..60 {
        let (script, cancel) = (Script::new(), Cancel::new());
        let tree = Tree::watched(script.clone());
        let (flag, mut count) = (cancel.clone(), 0);
        script.ask(move |_| {
            if count == number {
                flag.cancel();
            }
            count += 1;
            Ok(())
        });
        let (target, within) = (tree.target("p/a"), Within::anywhere_unfenced());
        let guard = WriteGuard::CreateIfAbsent;
        let made = tree
            .fs
            .write_text(&target, &within, "x", &guard, TEXTS, &cancel);
        match made {
            Ok(_) => assert_eq!(tree.names(), ["p/", "p/a"]),
            Err(error) => {
                assert_eq!(error.code, Code::Aborted, "{error}");
                assert!(tree.names().is_empty(), "cancelled at call {number}");
            }
        }
    }
}

#[test]
fn without_exchange_it_is_a_best_effort() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    tree.put("a", "old");
    script.without(&[(Call::Exchange, Errno::INVAL)]);
    let made = tree.replace("a", "new").expect("replaced");
    assert_eq!(made.grade, Grade::BestEffort);
    assert_eq!(
        (tree.content("a"), tree.names().len()),
        ("new".to_owned(), 1)
    );
}

/// A made parent that another writer uses by now stays.
#[test]
fn parents_of_others_stay() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let (later, other) = (tree.later(), tree.path("p/b"));
    script.ask(move |call| match call {
        Call::LinkUnnamed => {
            write(&later, &other, "", &WriteGuard::CreateIfAbsent).expect("created");
            Err(Errno::NOSPC)
        }
        _ => Ok(()),
    });
    tree.create("p/a", "x").expect_err("full");
    assert_eq!(tree.names(), ["p/", "p/b"]);
}

/// Somebody makes the missing parent, with a mode of his own, while ours is being made:
/// his is used. Fails when an empty directory is replaced, where a rename may do that.
#[test]
fn a_parent_that_others_make_meanwhile_is_used() {
    let ways: [&[(Call, Errno)]; 2] = [&[], &[(Call::RenameNew, Errno::INVAL)]];
    for missing in ways {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        let parent = tree.path("p");
        script.ask(move |call| {
            if call == Call::LinkUnnamed && !parent.exists() {
                fs::create_dir(&parent).expect("made");
                let mode = std::os::unix::fs::PermissionsExt::from_mode(0o751);
                fs::set_permissions(&parent, mode).expect("chmod");
            }
            let found = missing.iter().find(|(missing, _)| *missing == call);
            found.map_or(Ok(()), |(_, errno)| Err(*errno))
        });
        tree.create("p/q/a", "x").expect("created");
        assert_eq!(tree.names(), ["p/", "p/q/", "p/q/a"]);
        assert_eq!(tree.mode("p"), 0o751);
    }
}
