//! Removing a file that was seen, and what may happen to it meanwhile.

use std::fs;
use std::os::fd::AsRawFd;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::local::{Call, PublishOptions};
use dsh_fs::types::{Grade, WriteGuard};
use rustix::io::Errno;

use crate::tree::{Tree, code, give_to_nobody, unprivileged, write};
use crate::watch::Script;

#[test]
fn a_file_that_was_seen_is_removed() {
    let tree = Tree::with(PublishOptions::default(), None);
    tree.put("d/a", "old");
    let version = tree.version("d/a");
    let removed = tree.remove("d/a").expect("removed");
    assert_eq!(removed.previous, version);
    assert_eq!(
        (removed.grade, removed.grade_reason),
        (Grade::LeaseChecked, None)
    );
    assert_eq!(tree.names(), ["d/"], "an empty folder stays");
    tree.create("d/a", "again").expect("the name is free");
}

/// Fails when the version is not compared, or the kind of the file is not looked at.
#[test]
fn nothing_but_that_version_of_a_regular_file_is_removed() {
    let tree = Tree::quick();
    tree.put("a", "old");
    fs::create_dir(tree.path("d")).expect("made");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        tree.path("p"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .expect("made");
    let version = tree.version("a");
    let remove = |name: &str, version: &str| tree.remove_with(name, version, &Cancel::new());
    assert_eq!(code(remove("none", &version)), Code::NotFound);
    assert_eq!(code(remove("none/none", &version)), Code::NotFound);
    for other in ["d", "p"] {
        assert_eq!(code(remove(other, &version)), Code::NotRegularFile);
    }
    fs::write(tree.path("a"), "new").expect("written");
    assert_eq!(code(remove("a", &version)), Code::StaleVersion);
    assert_eq!(code(remove("a", "")), Code::StaleVersion);
    assert_eq!(tree.names(), ["a", "d/", "p"]);
    assert_eq!(tree.content("a"), "new");
}

/// Only the name goes: a removal takes nothing from whoever linked the file.
#[test]
fn other_names_of_the_file_stay() {
    let tree = Tree::quick();
    let path = tree.put("a", "old");
    fs::hard_link(path, tree.path("b")).expect("linked");
    tree.remove("a").expect("removed");
    assert_eq!(
        (tree.names(), tree.content("b")),
        (vec!["b".into()], "old".into())
    );
}

/// A file that this user could not write to stays, although the folder would let it be
/// removed. Fails when `permit_writing` is not called.
#[test]
fn what_could_not_be_written_is_not_removed() {
    let tree = Tree::quick();
    tree.put("a", "old");
    give_to_nobody(&tree, "");
    give_to_nobody(&tree, "a");
    tree.set_mode("a", 0o444);
    let (fs, target) = (tree.later(), tree.target("a"));
    let version = tree.version("a");
    let within = dsh_fs::within::Within::anywhere_unfenced();
    use dsh_fs::provider::Provider;
    let refused = unprivileged(|| fs.remove(&target, &within, &version, &Cancel::new()));
    let refused = refused.expect("root, or an ordinary user");
    assert_eq!(code(refused), Code::PermissionDenied);
    assert_eq!(tree.names(), ["a"]);
}

/// Whatever is done to the target between the first look and the removal is not lost.
/// Fails when the content is not compared under the lease, when what came out is not
/// looked at, or when it is not put back.
#[test]
fn changes_after_the_first_look_are_found() {
    let ways: [&[(Call, Errno)]; 2] = [&[], &[(Call::TakeLease, Errno::INVAL)]];
    for missing in ways {
        for call in [Call::MakeDirectory, Call::TakeLease, Call::RenameNew] {
            for way in ["write", "rename", "remove", "folder"] {
                // Under the lease, an opener would wait for us: that is another test.
                if call == Call::RenameNew && way == "write" && missing.is_empty() {
                    continue;
                }
                change_at(call, way, missing);
            }
        }
    }
}

fn change_at(call: Call, way: &'static str, missing: &'static [(Call, Errno)]) {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    let beside = tree.put("b", "theirs");
    let mut done = false;
    script.ask(move |now| {
        if now == call && !done {
            done = true;
            match way {
                "write" => fs::write(&path, "theirs").expect("written"),
                "rename" => fs::rename(&beside, &path).expect("renamed"),
                "remove" => fs::remove_file(&path).expect("removed"),
                _ => {
                    fs::remove_file(&path).expect("removed");
                    fs::create_dir(&path).expect("made");
                }
            }
        }
        let found = missing.iter().find(|(call, _)| *call == now);
        found.map_or(Ok(()), |(_, errno)| Err(*errno))
    });
    let expected = match way {
        "folder" => Code::NotRegularFile,
        "remove" => Code::NotFound,
        _ => Code::StaleVersion,
    };
    assert_eq!(code(tree.remove("a")), expected, "{call:?} {way}");
    let now = fs::read_to_string(tree.path("a")).ok();
    let theirs = matches!(way, "write" | "rename").then(|| "theirs".to_owned());
    assert_eq!(now, theirs, "{call:?} {way}");
    let names = tree.names();
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
}

/// A program opens the file for writing while it is taken out, and waits for the lease.
/// Fails when nobody is asked once the file is out.
#[test]
fn a_waiting_writer_writes_to_the_file_that_has_the_name() {
    for moment in [Call::RenameNew, Call::StatAt, Call::AskLease] {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        let path = tree.put("a", "old");
        let held = fs::File::open(&path).expect("opened");
        let (mut leased, mut writer) = (false, None);
        let (sent, received) = std::sync::mpsc::channel();
        script.ask(move |call| {
            leased |= call == Call::TakeLease;
            if leased && call == moment && writer.is_none() {
                // By the descriptor: it has found the file before it is taken out.
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
        assert_eq!(code(tree.remove("a")), Code::StaleVersion, "{moment:?}");
        assert_eq!(tree.content("a"), "theirs", "{moment:?}");
        assert_eq!(tree.names(), ["a"]);
    }
}

/// Somebody's file came out, and somebody else made a new one before it could be put back:
/// neither is removed, now or later. Fails when it is put back by a rename that replaces,
/// or when recovery removes whatever was taken out.
#[test]
fn of_two_files_of_others_both_are_kept() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    let theirs = tree.put("b", "theirs");
    let (mut taken, mut made) = (false, false);
    script.ask(move |call| {
        if call == Call::RenameNew && !taken {
            taken = true;
            fs::rename(&theirs, &path).expect("renamed");
        } else if taken && !made && call == Call::StatAt {
            made = true;
            fs::write(&path, "newest").expect("made");
        }
        Ok(())
    });
    assert_eq!(code(tree.remove("a")), Code::StaleVersion);
    let kept = |tree: &Tree| {
        let names = tree.names();
        let kept = names.into_iter().find(|name| name.ends_with("/a"));
        kept.map(|name| tree.content(&name))
    };
    for _ in 0..2 {
        assert_eq!(tree.content("a"), "newest");
        assert_eq!(kept(&tree).as_deref(), Some("theirs"));
        come_later(&tree);
    }
    fs::remove_file(tree.path("a")).expect("removed");
    come_later(&tree);
    assert_eq!(
        (tree.content("a"), tree.names()),
        ("theirs".into(), vec!["a".into()])
    );
}

/// Each cancellation at each call: nothing happened, or all of it.
#[test]
fn a_cancellation_at_any_call_is_clean() {
    let mut aborted = 0;
    for number in 0..40 {
        let (script, cancel) = (Script::new(), Cancel::new());
        let tree = Tree::watched(script.clone());
        tree.put("a", "old");
        let version = tree.version("a");
        let (flag, mut count) = (cancel.clone(), 0);
        script.ask(move |_| {
            if count == number {
                flag.cancel();
            }
            count += 1;
            Ok(())
        });
        match tree.remove_with("a", &version, &cancel) {
            Ok(_) => assert!(tree.names().is_empty()),
            Err(error) => {
                aborted += 1;
                let said = (error.code, error.message.as_str());
                assert_eq!(said, (Code::Aborted, "remove aborted"));
                assert_eq!(tree.names(), ["a"], "cancelled at call {number}");
            }
        }
    }
    assert!(aborted > 2, "{aborted}");
}

/// Where a rename may replace, the way back is a link; without one, nothing is removed.
#[test]
fn where_nothing_can_be_put_back_nothing_is_removed() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    tree.put("a", "old");
    script.without(&[(Call::RenameNew, Errno::INVAL)]);
    tree.remove("a").expect("removed");
    assert!(tree.names().is_empty());

    tree.put("a", "old");
    script.without(&[(Call::RenameNew, Errno::INVAL), (Call::Link, Errno::PERM)]);
    let refused = tree.remove("a").expect_err("no way back");
    assert_eq!(refused.code, Code::IoError);
    assert_eq!(
        (tree.names(), tree.content("a")),
        (vec!["a".into()], "old".into())
    );
}

#[test]
fn without_a_lease_it_is_a_best_effort() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    tree.put("a", "old");
    script.without(&[(Call::TakeLease, Errno::INVAL)]);
    let removed = tree.remove("a").expect("removed");
    assert_eq!(removed.grade, Grade::BestEffort);
    assert!(removed.grade_reason.is_some());
    assert!(tree.names().is_empty());
}

/// A name that is a mount point (the kernel says EBUSY) is refused with the reason.
#[test]
fn a_mount_point_stays() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    tree.put("a", "old");
    script.without(&[(Call::RenameNew, Errno::BUSY)]);
    let refused = tree.remove("a").expect_err("busy");
    assert_eq!(refused.code, Code::PermissionDenied);
    assert!(refused.message.contains("mount point"), "{refused}");
    assert_eq!(tree.names(), ["a"]);
}

/// Another process makes another file in the folder.
pub(crate) fn come_later(tree: &Tree) {
    let other = tree.path("other");
    let guard = WriteGuard::CreateIfAbsent;
    write(&tree.later(), &other, "", &guard).expect("created");
    fs::remove_file(other).expect("removed");
}
