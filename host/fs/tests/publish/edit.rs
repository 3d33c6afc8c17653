//! Replacing text.

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::types::{EditGuard, Grade};

use crate::tree::{Tree, code, edit};

#[test]
fn bytes_that_are_not_asked_for_stay() {
    let tree = Tree::new();
    tree.put("a", "\u{FEFF}one\r\ntwo\nthree\r\r\nlast");
    let made = tree.edit("a", "two", "2").expect("edited");
    assert_eq!(tree.content("a"), "\u{FEFF}one\r\n2\nthree\r\r\nlast");
    assert_eq!(made.version, tree.version("a"));
    assert_eq!(
        (made.replacements, made.grade),
        (Some(1), Grade::LeaseChecked)
    );
    assert_eq!(made.before.as_deref(), Some("one\r\ntwo\nthree\r\r\nlast"));
    assert_eq!(made.after.as_deref(), Some("one\r\n2\nthree\r\r\nlast"));
    assert_eq!(made.hunks.len(), 1);
}

#[test]
fn refusals_leave_the_file() {
    let tree = Tree::new();
    tree.put("a", "x x x");
    tree.put("binary", b"a\0b");
    tree.put("bad", b"a\xffb");
    std::fs::create_dir(tree.path("d")).expect("made");
    let cases = [
        (
            "a",
            "zzz",
            Code::EditNotFound,
            "old_string was not found in",
        ),
        (
            "a",
            "",
            Code::EditNotFound,
            "old_string must be a non-empty string",
        ),
        (
            "a",
            "x",
            Code::AmbiguousEdit,
            "old_string matched 3 times in",
        ),
        ("none", "x", Code::NotFound, "cannot edit"),
        ("binary", "a", Code::NotText, "cannot edit"),
        ("bad", "a", Code::NotText, "cannot edit"),
        ("d", "a", Code::NotRegularFile, "cannot edit"),
    ];
    for (name, old, code, begins) in cases {
        let refused = tree.edit(name, old, "y").expect_err("refused");
        assert_eq!(refused.code, code, "{refused}");
        assert!(refused.message.starts_with(begins), "{refused}");
    }
    assert_eq!(tree.content("a"), "x x x");
    assert_eq!(tree.fs.busy_targets(), 0);
    tree.edit_all("a", "x", "yy", true).expect("all of them");
    assert_eq!(tree.content("a"), "yy yy yy");
}

/// Fails when the version is compared after the search, or the cancellation is looked at
/// before the version.
#[test]
fn stale_comes_before_cancelled_and_cancelled_before_not_found() {
    let (tree, cancel) = (Tree::new(), Cancel::new());
    tree.put("a", "abc");
    cancel.cancel();
    let bad = EditGuard::IfVersion("bad".to_owned());
    let tries = [
        ("a", "b", &EditGuard::Unconditional, Code::Aborted),
        ("a", "zzz", &EditGuard::Unconditional, Code::Aborted),
        ("a", "", &bad, Code::StaleVersion),
        ("none", "b", &bad, Code::StaleVersion),
        ("none", "b", &EditGuard::Unconditional, Code::NotFound),
    ];
    for (name, old, guard, expected) in tries {
        let refused = tree.edit_with(name, &edit(old, "x", false), guard, &cancel);
        assert_eq!(code(refused), expected, "{name} {old}");
    }
    let aborted = tree.edit_with(
        "a",
        &edit("b", "x", false),
        &EditGuard::Unconditional,
        &cancel,
    );
    assert_eq!(aborted.expect_err("cancelled").message, "edit aborted");
}

/// Fails when the guard is not compared with what is displaced: an edit would be made from
/// an old content. (That callers are queued only spares them attempts.)
#[test]
fn edits_of_one_file_at_once_all_land() {
    let tree = Tree::quick();
    let words: Vec<String> = (0..48).map(|number| format!("<{number}>")).collect();
    tree.put("a", words.join("\n"));
    std::thread::scope(|scope| {
        for word in &words {
            let tree = &tree;
            scope.spawn(move || tree.edit("a", word, "done").expect("edited"));
        }
    });
    assert_eq!(tree.content("a"), vec!["done"; 48].join("\n"));
    assert_eq!((tree.names().len(), tree.fs.busy_targets()), (1, 0));
}

/// Fails without the comparison with `LARGEST` in `check_size`: the whole file would be
/// held in memory, whatever its size.
#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let tree = Tree::new();
    let path = tree.put("log", "x");
    let file = std::fs::OpenOptions::new().write(true).open(&path);
    file.and_then(|file| file.set_len(2 << 30)).expect("a hole");
    let refused = dsh_fs::provider::Provider::edit_text(
        &tree.fs,
        &tree.target("log"),
        &dsh_fs::within::Within::anywhere_unfenced(),
        &edit("x", "y", false),
        &EditGuard::Unconditional,
        crate::tree::TEXTS,
        &Cancel::new(),
    );
    assert_eq!(
        refused.map_err(|error| error.code).err(),
        Some(Code::TooLarge)
    );
}

/// A megabyte of one letter, each of which is to become two kilobytes. Fails (two gigabytes
/// are written; with texts of sixty-four megabytes it would go on for days) without the
/// comparison with `LARGEST` in `plan`.
#[test]
fn an_edit_that_would_leave_too_much_is_refused_before_it_is_made() {
    let tree = Tree::new();
    let old = "a".repeat(1 << 20);
    tree.put("a", &old);
    let begun = std::time::Instant::now();
    let refused = tree.edit_all("a", "a", &"b".repeat(2 << 10), true);
    let error = refused.expect_err("it is too much");
    assert_eq!(error.code, Code::TooLarge);
    assert!(error.message.contains("2147483648"), "{}", error.message);
    assert!(begun.elapsed().as_secs() < 60);
    assert_eq!(tree.content("a"), old);
    assert_eq!(tree.names().len(), 1);
}
