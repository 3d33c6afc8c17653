//! Keys and displays: what a path means, and how it is shown.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::provider::Provider;
use dsh_fs::types::Target;
use support::{Tree, local};

fn resolve(tree: &Tree, path: &str, base: &str) -> Result<Target, Error> {
    local().resolve(&tree.filled(path), &tree.text(base), &Cancel::new())
}

#[track_caller]
fn leads(tree: &Tree, path: &str, key: &str, display: &str) {
    let target = resolve(tree, path, "ws").expect("it resolves");
    assert_eq!(target.key, tree.text(key), "key of {path}");
    assert_eq!(target.display, tree.text(display), "display of {path}");
}

#[test]
fn every_spelling_of_a_file_has_its_key() {
    let tree = Tree::new("ws/a.txt\nws/d/b.txt\nws/l => d\nws/l1 => l2\nws/l2 => $BASE/ws/a.txt");
    leads(&tree, "a.txt", "ws/a.txt", "ws/a.txt");
    leads(&tree, "$BASE/ws/a.txt", "ws/a.txt", "ws/a.txt");
    leads(&tree, "./d/..//d/./b.txt", "ws/d/b.txt", "ws/d/b.txt");
    leads(&tree, "l/b.txt", "ws/d/b.txt", "ws/l/b.txt");
    leads(&tree, "l1", "ws/a.txt", "ws/l1");
    leads(&tree, "d/", "ws/d", "ws/d");
}

#[test]
fn a_step_up_out_of_a_link_is_shown_where_it_leads() {
    let tree = Tree::new("ws/b\nout/deep/a\nout/b\nws/l => $BASE/out/deep");
    leads(&tree, "l/a", "out/deep/a", "ws/l/a");
    leads(&tree, "l/../b", "out/b", "out/b");
    let linked = resolve(&tree, "../b", "ws/l").expect("it resolves");
    assert_eq!(
        (linked.key, linked.display),
        (tree.text("out/b"), tree.text("out/b"))
    );
}

#[test]
fn a_missing_target_is_keyed_beneath_what_exists() {
    let tree = Tree::new("ws/d/\nws/l => d\nws/gone => d/none\nws/out => $BASE/out/none");
    leads(&tree, "l/n/new.txt", "ws/d/n/new.txt", "ws/l/n/new.txt");
    leads(&tree, "gone", "ws/d/none", "ws/gone");
    leads(&tree, "gone/child", "ws/d/none/child", "ws/gone/child");
    leads(&tree, "out", "out/none", "ws/out");
}

#[test]
fn what_names_no_file_is_refused_in_its_own_words() {
    let tree = Tree::new("ws/f\nws/loop => loop\nws/l => f/");
    let long = "n".repeat(256);
    let deep = "d/".repeat(2048);
    let shown = |path: &str| tree.text(&format!("ws/{path}"));
    let cases = [
        ("", "file_path must be a non-empty string".to_owned()),
        (" \t\n", "file_path must be a non-empty string".to_owned()),
        (
            "f/child",
            format!(
                "\"{}\": a parent path segment is not a directory",
                shown("f/child")
            ),
        ),
        (
            "f/../f",
            "a parent path segment is not a directory".to_owned(),
        ),
        ("f/", "names a directory, and none is there".to_owned()),
        ("f/.", "names a directory, and none is there".to_owned()),
        ("new/", "names a directory, and none is there".to_owned()),
        ("l", "names a directory, and none is there".to_owned()),
        (
            "none/../f",
            "\"..\" after a directory that does not exist".to_owned(),
        ),
        ("loop", "too many symbolic links".to_owned()),
        ("a\0b", "the path contains a NUL character".to_owned()),
        (
            long.as_str(),
            "a name in the path is longer than".to_owned(),
        ),
        (
            deep.as_str(),
            "the path is longer than 4095 bytes".to_owned(),
        ),
    ];
    for (path, words) in cases {
        let error = resolve(&tree, path, "ws").expect_err(path);
        assert_eq!(error.code, Code::NotFound, "{path}");
        assert!(error.message.contains(&words), "{}", error.message);
        assert!(error.message.len() < 400, "{}", error.message);
    }
    let error = local()
        .resolve("a", "relative", &Cancel::new())
        .expect_err("no base");
    assert!(
        error.message.contains("is not absolute"),
        "{}",
        error.message
    );
}

/// Forty links are followed, as the kernel does, and not one more.
#[test]
fn a_chain_of_links_has_an_end() {
    let chain: String = (0..41)
        .map(|n| format!("ws/l{n} => l{}\n", n + 1))
        .collect();
    let tree = Tree::new(&format!("{chain}ws/l41"));
    leads(&tree, "l1", "ws/l41", "ws/l1");
    let error = resolve(&tree, "l0", "ws").expect_err("one too many");
    assert!(
        error.message.contains("too many symbolic links"),
        "{}",
        error.message
    );
    assert!(std::fs::metadata(tree.path("ws/l1")).is_ok());
    assert!(std::fs::metadata(tree.path("ws/l0")).is_err());
}

/// A link of /proc is kept in the key, and no text can step up from where it leads.
#[test]
fn links_of_proc_are_kept() {
    let tree = Tree::new("ws/a");
    let own = std::process::id();
    let cwd = resolve(&tree, "/proc/self/cwd/x", "ws").expect("it resolves");
    assert_eq!(cwd.key, format!("/proc/{own}/cwd/x"));
    let through = resolve(&tree, "/proc/self/root$BASE/ws/a", "ws").expect("it resolves");
    let read = local().read_bytes(&through, 10, &Cancel::new());
    assert_eq!(read.as_deref(), Ok(&b"x\n"[..]));
    let error = resolve(&tree, "/proc/self/cwd/..", "ws").expect_err("no text leads there");
    assert!(
        error.message.ends_with("\"..\" after a link of /proc"),
        "{}",
        error.message
    );
}

#[test]
fn names_of_255_bytes_and_names_that_are_not_text_work() {
    let long = "n".repeat(255);
    let tree = Tree::new("ws/");
    leads(&tree, &long, &format!("ws/{long}"), &format!("ws/{long}"));
    leads(&tree, "a\u{EFFF}", "ws/a\u{EFFF}", "ws/a\u{EFFF}");
    // The bytes of "é" in the escape are the same name as "é", and have the same key.
    leads(&tree, "\u{EFC3}\u{EFA9}", "ws/é", "ws/\u{EFC3}\u{EFA9}");
}

#[test]
fn a_cancelled_resolve_is_aborted() {
    let cancel = Cancel::new();
    cancel.cancel();
    let error = local()
        .resolve(" ", "/", &cancel)
        .expect_err("it is cancelled");
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::Aborted, "resolve aborted")
    );
}

#[test]
fn keys_contain_by_whole_names() {
    let local = local();
    for (parent, child, expected) in [
        ("/a", "/a", true),
        ("/a", "/a/b/c", true),
        ("/a", "/ab", false),
        ("/a/b", "/a", false),
        ("/", "/a", true),
        ("/a", "/a/..n/c", true),
        ("/a", "/a/../b", false),
        ("a", "a/b", false),
        ("", "/a", false),
    ] {
        assert_eq!(local.contains(parent, child), expected, "{parent} {child}");
    }
}

#[test]
fn a_key_becomes_a_path_and_a_url() {
    let local = local();
    let url = local
        .file_url("/a b/é\u{EFFF}#?%")
        .expect("it is canonical");
    assert_eq!(url, "file:///a%20b/%C3%A9%FF%23%3F%25");
    let path = local.process_path("/a\u{EFFF}").expect("it is canonical");
    assert_eq!(path.into_os_string().into_encoded_bytes(), b"/a\xff");
    for forged in ["a", "/a/../b", "/a//b", "/a/", "/a/.", "/a\0", ""] {
        assert_eq!(
            local.process_path(forged).expect_err(forged).code,
            Code::NotFound
        );
    }
}
