//! A version is the content, and nothing but the content.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::local::{Call, PublishOptions};
use dsh_fs::provider::Provider;
use dsh_fs::types::{EditGuard, WriteGuard};
use rustix::fs::XattrFlags;

use crate::mounted::{self, Kind};
use crate::tree::{Tree, code, edit, write};
use crate::watch::Script;

/// How many rewrites of the same size are tried on each file system.
const REWRITES: u32 = 10_000;
const LATE_REWRITES: u32 = 300;

fn read(tree: &Tree) -> String {
    let read = tree
        .fs
        .read_text(&tree.target("a"), 1 << 10, &Cancel::new());
    read.expect("it is text").version
}

fn touch(path: &Path) {
    let file = fs::File::options().append(true).open(path).expect("opened");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(1))
        .expect("touched");
}

fn change_mode(path: &Path) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(path, mode).expect("changed");
}

fn link_and_unlink(path: &Path) {
    let beside = path.with_file_name("link");
    fs::hard_link(path, &beside).expect("linked");
    fs::remove_file(beside).expect("removed");
}

fn set_attribute(path: &Path) {
    if let Err(errno) = rustix::fs::setxattr(path, "user.dsh", b"x", XattrFlags::empty()) {
        println!("SKIPPED: no extended attributes here: {errno}");
    }
}

fn write_again(path: &Path) {
    fs::write(path, "old").expect("written");
}

fn replace_by_the_same(path: &Path) {
    let beside = path.with_file_name("copy");
    fs::write(&beside, "old").expect("written");
    fs::rename(beside, path).expect("renamed");
}

fn rename_to_and_fro(path: &Path) {
    let beside = path.with_file_name("b");
    fs::rename(path, &beside).expect("renamed");
    fs::rename(beside, path).expect("renamed");
}

/// Fails when `Old::read` adds anything of `Stat` to the version.
#[test]
fn what_leaves_the_bytes_leaves_the_version() {
    let changes: [fn(&Path); 7] = [
        touch,
        change_mode,
        link_and_unlink,
        set_attribute,
        write_again,
        replace_by_the_same,
        rename_to_and_fro,
    ];
    for change in changes {
        let tree = Tree::quick();
        let path = tree.put("a", "old");
        let seen = read(&tree);
        change(&path);
        assert_eq!(read(&tree), seen);
        let guard = WriteGuard::ReplaceIfVersion(seen);
        let made = tree.write("a", "one", &guard).expect("it is not stale");
        touch(&path);
        change_mode(&path);
        let guard = EditGuard::IfVersion(made.version);
        tree.edit_with("a", &edit("one", "two", false), &guard, &Cancel::new())
            .expect("it is not stale");
        assert_eq!(tree.content("a"), "two");
    }
}

/// A second name is a reason of its own to refuse; the file is not stale.
#[test]
fn a_new_hard_link_is_not_stale() {
    let tree = Tree::quick();
    let path = tree.put("a", "old");
    let seen = read(&tree);
    fs::hard_link(&path, tree.path("b")).expect("linked");
    assert_eq!(read(&tree), seen);
    let guard = WriteGuard::ReplaceIfVersion(seen);
    assert_eq!(code(tree.write("a", "new", &guard)), Code::PermissionDenied);
    fs::remove_file(tree.path("b")).expect("removed");
    tree.write("a", "new", &guard).expect("it is not stale");
}

/// How many of the rewrites were stale for a guarded write or edit. Every second one also
/// puts the time of the last change back.
pub(crate) fn stale_rewrites() -> u32 {
    let tree = Tree::quick();
    let path = tree.put("a", "");
    let file = fs::File::options().write(true).open(&path).expect("opened");
    let mut stale = 0;
    for number in 0..REWRITES {
        file.write_all_at(format!("{number:08}").as_bytes(), 0)
            .expect("written");
        let seen = read(&tree);
        let modified = file
            .metadata()
            .and_then(|now| now.modified())
            .expect("a time");
        file.write_all_at(format!("{:08}", number + REWRITES).as_bytes(), 0)
            .expect("written");
        if number % 2 == 0 {
            file.set_modified(modified).expect("touched");
        }
        let answer = match number % 4 {
            0 | 1 => tree.write("a", "mine", &WriteGuard::ReplaceIfVersion(seen)),
            _ => tree.edit_with(
                "a",
                &edit("0", "1", true),
                &EditGuard::IfVersion(seen),
                &Cancel::new(),
            ),
        };
        stale += u32::from(answer.is_err_and(|error| error.code == Code::StaleVersion));
    }
    stale
}

/// Fails when `WriteJob::see` or `EditJob::check_version` compares sizes and times.
#[test]
fn a_rewrite_of_the_same_size_within_a_tick_is_stale() {
    assert_eq!(stale_rewrites(), REWRITES);
}

/// How many rewrites of the same size were found that came after the guard had been
/// compared, right before the lease.
pub(crate) fn late_rewrites_found() -> u32 {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.path("a");
    let mut found = 0;
    for _ in 0..LATE_REWRITES {
        fs::write(&path, "old").expect("written");
        let guard = WriteGuard::ReplaceIfVersion(tree.version("a"));
        let theirs = path.clone();
        script.at(Call::TakeLease, move || {
            fs::write(theirs, "new").expect("written");
        });
        let answer = tree.write("a", "mine", &guard);
        let stale = answer.is_err_and(|error| error.code == Code::StaleVersion);
        found += u32::from(stale && tree.content("a") == "new");
    }
    found
}

#[test]
fn a_late_rewrite_within_a_tick_is_stale() {
    assert_eq!(late_rewrites_found(), LATE_REWRITES);
}

/// The same where time stamps are as coarse as the clock tick. The late ones fail when
/// `Old::change` does not ask whether the file was settled.
#[test]
fn a_rewrite_within_a_tick_of_ramfs_is_stale() {
    let expected = format!("STALE {REWRITES} AND {LATE_REWRITES}");
    mounted::run(Kind::Ramfs, &expected);
}

/// Somebody writes in place after the file has its name, before the answer is given: at
/// each of the system calls in between. Fails when `WriteJob::facts` takes the version by
/// reading the file again.
#[test]
fn what_others_write_after_publication_is_not_recorded_as_ours() {
    for published in [Call::LinkUnnamed, Call::Exchange] {
        let moments = (1..).take_while(|moment| written_at(published, *moment));
        assert!(moments.count() > 0, "nothing happens after {published:?}");
    }
}

/// Whether there is such a moment.
fn written_at(published: Call, moment: usize) -> bool {
    let script = Script::new();
    let tree = Tree::with(PublishOptions::default(), Some(Arc::clone(&script) as _));
    let path = tree.path("a");
    if published == Call::Exchange {
        tree.put("a", "old");
    }
    let since = Arc::new(std::sync::Mutex::new(None));
    let counter = Arc::clone(&since);
    let theirs = path.clone();
    script.ask(move |call| {
        let mut since = counter.lock().expect("no panic");
        *since = since.map(|calls: usize| calls + 1);
        if *since == Some(moment) {
            fs::write(&theirs, "theirs").expect("written");
        }
        if call == published && since.is_none() {
            *since = Some(0);
        }
        Ok(())
    });
    let made = match published {
        Call::Exchange => tree.replace("a", "mine"),
        _ => tree.create("a", "mine"),
    };
    let made = made.expect("published");
    let reached = since
        .lock()
        .expect("no panic")
        .is_some_and(|calls| calls >= moment);
    assert_eq!(made.version, tree.secret.version_of(b"mine"));
    if reached {
        let guard = WriteGuard::ReplaceIfVersion(made.version);
        let again = write(&tree.later(), &path, "again", &guard);
        assert_eq!(code(again), Code::StaleVersion);
        assert_eq!(tree.content("a"), "theirs");
    }
    reached
}
