//! Facts about files and the children of directories.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::fs;
use std::os::unix::ffi::OsStringExt;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::provider::Provider;
use dsh_fs::types::{DirEntry, EntryKind};
use support::{Tree, local};

fn list(tree: &Tree, path: &str) -> Result<Vec<DirEntry>, Error> {
    let local = local();
    let target = local.resolve(path, &tree.text("ws"), &Cancel::new())?;
    local.list_dir(&target, &Cancel::new())
}

/// What a listing says in short: name, kind, `@` for a link, size, `!` for trouble.
fn brief(entry: &DirEntry) -> String {
    let link = if entry.is_link { "@" } else { "" };
    let size = entry
        .size
        .map(|size| format!(" {size}"))
        .unwrap_or_default();
    let trouble = if entry.trouble.is_some() { " !" } else { "" };
    format!("{} {:?}{link}{size}{trouble}", entry.name, entry.kind)
}

#[test]
fn children_are_listed_with_their_kinds_in_byte_order() {
    let tree = Tree::new(
        "ws/d/b = abc\nws/d/B = \nws/d/é\nws/d/s/x\nws/d/p |\nws/d/l => ../f\nws/f = abc\n\
         ws/d/m => s\nws/d/dangling => none\nws/d/loop => loop",
    );
    let listed = list(&tree, "d").expect("it is a directory");
    let brief: Vec<String> = listed.iter().map(brief).collect();
    assert_eq!(
        brief,
        [
            "B File 0",
            "b File 3",
            "dangling Other@ !",
            "l File@ 3",
            "loop Other@ !",
            "m Directory@",
            "p Other",
            "s Directory",
            "é File 2",
        ]
    );
    let target = |name: &str| {
        let entry = listed.iter().find(|entry| entry.name == name).expect(name);
        (entry.target.key.clone(), entry.target.display.clone())
    };
    assert_eq!(target("b"), (tree.text("ws/d/b"), tree.text("ws/d/b")));
    assert_eq!(target("l"), (tree.text("ws/f"), tree.text("ws/d/l")));
    assert_eq!(target("m"), (tree.text("ws/d/s"), tree.text("ws/d/m")));
    assert_eq!(
        target("dangling"),
        (tree.text("ws/d/none"), tree.text("ws/d/dangling"))
    );
    assert_eq!(
        target("loop"),
        (tree.text("ws/d/loop"), tree.text("ws/d/loop"))
    );
}

#[test]
fn a_name_that_is_not_text_is_reached_through_its_own_target() {
    let tree = Tree::new("ws/");
    let name = std::ffi::OsString::from_vec(b"fo\xffo".to_vec());
    fs::write(tree.path("ws").join(name), "x").expect("a file");
    let listed = list(&tree, ".").expect("it is a directory");
    assert_eq!(listed[0].name, "fo\u{EFFF}o");
    let read = local().read_text(&listed[0].target, 10, &Cancel::new());
    assert_eq!(read.expect("it is reached").text, "x");
}

#[test]
fn only_directories_are_listed() {
    let tree = Tree::new("ws/f\nws/p |\nws/l => f");
    for (path, code, reason) in [
        ("none", Code::NotFound, "not found"),
        ("f", Code::NotDirectory, "not a directory"),
        ("l", Code::NotDirectory, "not a directory"),
        ("p", Code::NotDirectory, "not a directory"),
    ] {
        let error = list(&tree, path).expect_err(path);
        assert_eq!(error.code, code);
        let shown = tree.text(&format!("ws/{path}"));
        assert_eq!(error.message, format!("cannot list \"{shown}\": {reason}"));
    }
}

#[test]
fn a_listing_follows_the_directory_that_was_resolved() {
    let tree = Tree::new("ws/d1/f = a\nws/d2/f = b\nws/l => d1");
    let local = local();
    let target = local
        .resolve("l", &tree.text("ws"), &Cancel::new())
        .expect("it resolves");
    fs::remove_file(tree.path("ws/l")).expect("it is removed");
    std::os::unix::fs::symlink("d2", tree.path("ws/l")).expect("a link");
    let listed = local
        .list_dir(&target, &Cancel::new())
        .expect("it is a directory");
    assert_eq!(listed[0].target.key, tree.text("ws/d1/f"));
    assert_eq!(listed[0].target.display, tree.text("ws/l/f"));
}

#[test]
fn facts_follow_links_or_do_not() {
    let tree = Tree::new("ws/f = hello\nws/d/\nws/p |\nws/l => f\nws/x => none\nws/m => d");
    let local = local();
    let kind = |path: &str| {
        let target = local
            .resolve(path, &tree.text("ws"), &Cancel::new())
            .expect("it resolves");
        let info = local.stat(&target, &Cancel::new()).expect("it is asked");
        info.map(|info| (info.kind, info.size))
    };
    assert_eq!(kind("f"), Some((EntryKind::File, Some(5))));
    assert_eq!(kind("l"), Some((EntryKind::File, Some(5))));
    assert_eq!(kind("m"), Some((EntryKind::Directory, None)));
    assert_eq!(kind("p"), Some((EntryKind::Other, None)));
    assert_eq!((kind("x"), kind("none")), (None, None));
    let itself = |path: &str| {
        let info = local
            .lstat(path, &tree.text("ws"), &Cancel::new())
            .expect("it is asked");
        info.map(|info| (info.kind, info.link_target))
    };
    assert_eq!(itself("m/../f"), Some((EntryKind::File, None)));
    assert_eq!(
        itself("l"),
        Some((EntryKind::Symlink, Some("f".to_owned())))
    );
    assert_eq!(
        itself("m/"),
        Some((EntryKind::Symlink, Some("d".to_owned())))
    );
    assert_eq!(
        (itself("f/"), itself("f/x"), itself("none")),
        (None, None, None)
    );
}

#[test]
fn cancellation_wins() {
    let tree = Tree::new("ws/d/f");
    let local = local();
    let target = local
        .resolve("d", &tree.text("ws"), &Cancel::new())
        .expect("it resolves");
    let cancel = Cancel::new();
    cancel.cancel();
    let words = |error: Error| (error.code, error.message);
    let aborted = |verb: &str| (Code::Aborted, format!("{verb} aborted"));
    assert_eq!(
        words(local.list_dir(&target, &cancel).expect_err("it is")),
        aborted("list")
    );
    assert_eq!(
        words(local.stat(&target, &cancel).expect_err("it is")),
        aborted("stat")
    );
    assert_eq!(
        words(local.lstat(" ", "/", &cancel).expect_err("it is")),
        aborted("lstat")
    );
}
