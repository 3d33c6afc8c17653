//! The process dies at each system call; a later one comes to the same folder.

use std::fs;

use dsh_fs::error::Error;
use dsh_fs::local::Call;
use dsh_fs::types::{Mutation, WriteGuard};
use rustix::io::Errno;

use crate::tree::{Tree, write};
use crate::watch::Script;

type Run = fn(&Tree) -> Result<Mutation, Error>;

/// Another process makes another file in the folder.
fn come_later(tree: &Tree) {
    let other = tree.path("other");
    let guard = WriteGuard::CreateIfAbsent;
    write(&tree.later(), &other, "", &guard).expect("created");
    fs::remove_file(other).expect("removed");
}

fn run_and_die(before: Option<&str>, run: Run, named: bool) -> usize {
    let mut number = 1;
    loop {
        let script = Script::new();
        let tree = Tree::watched(script.clone());
        before.inspect(|before| drop(tree.put("a", before)));
        if named {
            // Learns that there are no unnamed files here, and gets no further.
            let mut count = 0;
            script.ask(move |call| {
                count += 1;
                match call {
                    _ if count >= number => Err(Errno::IO),
                    Call::OpenUnnamed => Err(Errno::OPNOTSUPP),
                    _ => Ok(()),
                }
            });
        } else {
            script.die_at(number);
        }
        let done = run(&tree).is_ok();
        let calls = script.log().len();
        come_later(&tree);
        let names = tree.names();
        match before {
            Some(before) => {
                assert_eq!(names, ["a"], "died at call {number}");
                let content = tree.content("a");
                assert!(
                    content == before || content == "new",
                    "died at call {number}"
                );
            }
            None => {
                assert!(names.is_empty() || names == ["a"], "died at call {number}");
                assert!(names.is_empty() || tree.content("a") == "new");
            }
        }
        if done && calls < number {
            return number;
        }
        number += 1;
    }
}

/// Fails when `Recovery::enter` recovers nothing.
#[test]
fn the_old_file_or_the_new_one_and_nothing_else() {
    for named in [false, true] {
        run_and_die(Some("old"), |tree| tree.replace("a", "new"), named);
        run_and_die(Some("old"), |tree| tree.edit("a", "old", "new"), named);
        run_and_die(None, |tree| tree.create("a", "new"), named);
    }
}

/// An outside program renames its file into place right before the exchange, and we die
/// right after it. Fails when recovery removes whatever has a staging name.
#[test]
fn an_outside_change_is_put_back() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    let path = tree.put("a", "old");
    let theirs = tree.put("b", "theirs");
    let mut dead = false;
    script.ask(move |call| {
        if dead {
            return Err(Errno::IO);
        }
        if call == Call::Exchange {
            fs::rename(&theirs, &path).expect("renamed");
            dead = true;
        }
        Ok(())
    });
    tree.replace("a", "new").expect_err("dead");
    assert_eq!(tree.content("a"), "new");
    assert_eq!(tree.names().len(), 2, "the displaced change is still there");
    come_later(&tree);
    assert_eq!(
        (tree.names(), tree.content("a")),
        (vec!["a".to_owned()], "theirs".to_owned())
    );
}

/// The same, but the published file was changed since: both changes are somebody's.
#[test]
fn an_outside_change_that_cannot_be_put_back_is_kept() {
    let tree = Tree::quick();
    tree.put("a", "later");
    let (one, two, target) = ("1".repeat(22), "2".repeat(22), tree.secret.version_of(b"a"));
    let left = format!(".dsh-fs-x-{one}-{two}-{target}-0123456789abcdef");
    tree.put(&left, "theirs");
    come_later(&tree);
    assert_eq!(
        (tree.content("a"), tree.content(&left)),
        ("later".into(), "theirs".into())
    );
}

/// A file of somebody else's that looks like a leftover, in a folder for everybody, is not
/// even read. A second name of the target is no puzzle either. Fails (or hangs) when
/// recovery judges whatever it finds, or holds one file while it looks at the other.
#[test]
fn leftovers_that_are_made_up_are_left_alone() {
    let tree = Tree::quick();
    let path = tree.put("a", "content");
    let (one, two, target) = ("1".repeat(22), "2".repeat(22), tree.secret.version_of(b"a"));
    let alias = format!(".dsh-fs-x-{one}-{two}-{target}-0123456789abcdef");
    fs::hard_link(&path, tree.path(&alias)).expect("linked");
    let planted = tree.put(".dsh-fs-p-0123456789abcdef", "planted");
    let foreign = std::os::unix::fs::chown(planted, Some(1), None).is_ok();
    tree.set_mode("", 0o1777);
    come_later(&tree);
    assert_eq!(tree.names().len(), if foreign { 3 } else { 2 });
    assert_eq!(
        (tree.content("a"), tree.content(&alias)),
        ("content".into(), "content".into())
    );
}

/// Fails when recovery does not ask for the exclusive lock of the folder.
#[test]
fn staging_files_of_a_living_process_are_left_alone() {
    let script = Script::new();
    let tree = Tree::watched(script.clone());
    tree.put("a", "old");
    let (later, other) = (tree.later(), tree.path("other"));
    script.at(Call::TakeLease, move || {
        let guard = WriteGuard::CreateIfAbsent;
        write(&later, &other, "", &guard).expect("created");
    });
    tree.replace("a", "new").expect("replaced");
    let exchanges = script
        .log()
        .into_iter()
        .filter(|call| *call == Call::Exchange);
    assert_eq!(exchanges.count(), 1, "the first attempt was not disturbed");
    assert_eq!(
        (tree.names(), tree.content("a")),
        (vec!["a".into(), "other".into()], "new".into())
    );
}

/// Machines on which something does not exist.
const MACHINES: [&[(Call, Errno)]; 3] = [
    &[],
    &[(Call::OpenUnnamed, Errno::OPNOTSUPP)],
    &[
        (Call::OpenUnnamed, Errno::OPNOTSUPP),
        (Call::RenameNew, Errno::INVAL),
    ],
];

/// The parents come with the file in them, or not at all. Fails when `Tools::clear` is not
/// called, or when a directory is made under its own name.
#[test]
fn no_parent_is_left_without_its_file() {
    let whole = ["p/", "p/q/", "p/q/r/", "p/q/r/a"];
    for (missing, content) in MACHINES.into_iter().flat_map(|m| [(m, "new"), (m, "")]) {
        let (mut number, mut left, mut made) = (1, 0, 0);
        loop {
            let script = Script::new();
            let tree = Tree::watched(script.clone());
            let mut count = 0;
            script.ask(move |now| {
                count += 1;
                if count >= number {
                    return Err(Errno::IO);
                }
                let found = missing.iter().find(|(call, _)| *call == now);
                found.map_or(Ok(()), |(_, errno)| Err(*errno))
            });
            let done = tree.create("p/q/r/a", content).is_ok();
            let calls = script.log().len();
            left += usize::from(!done && !tree.names().is_empty());
            come_later(&tree);
            let names = tree.names();
            assert!(
                names.is_empty() || names == whole,
                "died at call {number}: {names:?}"
            );
            if !names.is_empty() {
                made += 1;
                assert_eq!(tree.content("p/q/r/a"), content);
            }
            if done && calls < number {
                break;
            }
            number += 1;
        }
        assert!(left > 5 && made > 0, "{left} leftovers, {made} made");
    }
}

/// What somebody put into the directories in the making is not removed, nor what is around
/// it. Fails when `Tools::clear` removes whatever it finds.
#[test]
fn what_others_put_into_parents_in_the_making_is_kept() {
    let tree = Tree::quick();
    let ours = tree.secret.version_of(b"ours");
    let cases = [("q/a", "theirs"), ("q/r/b", "ours"), ("c", "ours")];
    for (number, (file, content)) in cases.into_iter().enumerate() {
        let made = format!(".dsh-fs-d-{ours}-000000000000000{number}");
        tree.put(&format!("{made}/q/a"), "ours");
        tree.put(&format!("{made}/{file}"), content);
    }
    let before = tree.names();
    come_later(&tree);
    assert_eq!(tree.names(), before);
    let theirs = |name: &&String| name.ends_with("q/a") && tree.content(name) == "theirs";
    assert_eq!(before.iter().filter(theirs).count(), 1);
}
