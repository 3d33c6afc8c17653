//! Making a file that was not there.

use std::fs;
use std::os::unix::fs::MetadataExt;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::provider::Provider;
use dsh_fs::types::{Grade, Operation, WriteGuard};
use dsh_fs::within::Within;

use crate::tree::{TEXTS, Tree, code};

#[test]
fn a_new_file_and_its_parents() {
    let tree = Tree::new();
    let made = tree.create("d/e/a", "x").expect("created");
    assert_eq!(made.operation, Operation::Create);
    assert_eq!((made.grade, made.grade_reason), (Grade::Atomic, None));
    assert_eq!((made.before, made.after.as_deref()), (None, Some("x")));
    assert_eq!((made.version, made.previous), (tree.version("d/e/a"), None));
    assert_eq!(tree.names(), ["d/", "d/e/", "d/e/a"]);
    let metadata = fs::metadata(tree.path("d/e/a")).expect("there");
    assert_eq!((metadata.nlink(), metadata.mode() & 0o7777), (1, 0o644));
}

#[test]
fn what_exists_is_never_touched() {
    let tree = Tree::new();
    tree.put("a", "");
    fs::create_dir(tree.path("d")).expect("made");
    let refused = tree.create("a", "x").expect_err("exists");
    assert_eq!(refused.code, Code::NotObserved);
    let path = tree.path("a").display().to_string();
    let message = format!("cannot overwrite existing \"{path}\" without reading it first");
    assert_eq!(refused.message, message);
    assert_eq!(code(tree.create("d", "x")), Code::NotRegularFile);
    assert_eq!(tree.content("a"), "");
}

#[test]
fn a_cancelled_write_makes_no_parents() {
    let (tree, cancel) = (Tree::new(), Cancel::new());
    cancel.cancel();
    let (target, within) = (tree.target("p/q/a"), Within::anywhere_unfenced());
    let guard = WriteGuard::CreateIfAbsent;
    let refused = tree
        .fs
        .write_text(&target, &within, "x", &guard, TEXTS, &cancel)
        .expect_err("cancelled");
    assert_eq!(
        (refused.code, refused.message.as_str()),
        (Code::Aborted, "write aborted")
    );
    assert!(tree.names().is_empty());
}

#[test]
fn names_of_255_bytes_and_odd_bytes() {
    let tree = Tree::new();
    for name in [
        "n".repeat(255),
        "文".repeat(80),
        "a\nb".to_owned(),
        "e\u{301}".to_owned(),
    ] {
        tree.create(&name, "one").expect("created");
        tree.replace(&name, "two").expect("replaced");
        tree.edit(&name, "two", "three").expect("edited");
        assert_eq!(tree.content(&name), "three");
    }
    assert_eq!(tree.names().len(), 4);
}

/// Fails when `MadeParents` does not remove what it made.
#[test]
fn parents_are_unmade_when_the_write_fails() {
    let tree = Tree::new();
    tree.put("p/keep", "");
    let name = format!("p/q/r/{}", "n".repeat(256));
    let target = dsh_fs::types::Target {
        key: tree.path(&name).display().to_string(),
        display: "shown".to_owned(),
    };
    let within = Within::anywhere_unfenced();
    let guard = WriteGuard::CreateIfAbsent;
    let failed = tree
        .fs
        .write_text(&target, &within, "x", &guard, TEXTS, &Cancel::new());
    assert_eq!(code(failed), Code::NotFound);
    assert_eq!(tree.names(), ["p/", "p/keep"]);
}
