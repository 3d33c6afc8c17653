//! The one system call, the walk by hand and the kernel's own answer agree on random trees.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rustix::fs::{CWD, Mode, OFlags, open, readlinkat};
use rustix::io::Errno;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

use super::{Spelling, canonical, walk, without_links};
use crate::cancel::Cancel;
use crate::wording::Verb;

/// Parts of paths: three names that the trees are made of, and everything special.
fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just("a"), 3 => Just("b"), 3 => Just("c"), 1 => Just("d"),
        2 => Just(".."), 1 => Just("."), 1 => Just(""),
    ];
    proptest::collection::vec(part, 1..7).prop_map(|parts| parts.join("/"))
}

#[derive(Clone, Debug)]
enum Node {
    Directory,
    File,
    Link { target: String, absolute: bool },
}

fn tree() -> impl Strategy<Value = Vec<(String, Node)>> {
    let name = || prop_oneof![Just("a"), Just("b"), Just("c")];
    let place = proptest::collection::vec(name(), 1..4).prop_map(|parts| parts.join("/"));
    let link =
        (path(), any::<bool>()).prop_map(|(target, absolute)| Node::Link { target, absolute });
    let node = prop_oneof![4 => Just(Node::Directory), 1 => Just(Node::File), 3 => link];
    proptest::collection::vec((place, node), 1..9)
}

fn plant(base: &Path, nodes: &[(String, Node)]) {
    for (place, node) in nodes {
        let place = base.join(place);
        // A node whose place is taken or has no parent is left out: any tree will do.
        let _ = match node {
            Node::Directory => fs::create_dir_all(&place),
            Node::File => fs::write(&place, "x"),
            Node::Link {
                target,
                absolute: false,
            } if !target.is_empty() => symlink(target, &place),
            Node::Link { target, .. } => symlink(base.join(target), &place),
        };
    }
}

fn spelled(base: &Path, path: &str) -> Spelling {
    let base = base.to_str().expect("the base is UTF-8");
    Spelling::new(Verb::Resolve, path, base).expect("the path is not blank")
}

fn kernel(spelling: &Spelling) -> Result<Vec<u8>, Errno> {
    let found = open(
        spelling.bytes(),
        OFlags::PATH | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    let own = format!("/proc/self/fd/{}", found.as_raw_fd());
    Ok(readlinkat(CWD, own, Vec::new())?.into_bytes())
}

fn base() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let base = folder.path().canonicalize().expect("it is there");
    (folder, base)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_answers_agree(nodes in tree(), asked in path()) {
        let (_folder, base) = base();
        plant(&base, &nodes);
        prop_assume!(!asked.trim().is_empty());
        let spelling = spelled(&base, &asked);
        let walked = walk::walk(&spelling, &Cancel::new());
        if let Some(fast) = without_links(&spelling) {
            prop_assert_eq!(walked.as_ref().expect("both find it"), &fast);
        }
        match kernel(&spelling) {
            Ok(found) => prop_assert_eq!(walked.expect("the kernel finds it"), found),
            Err(Errno::NOENT) => if let Ok(missing) = walked {
                prop_assert!(!Path::new(std::ffi::OsStr::from_bytes(&missing)).exists());
            },
            Err(_) => prop_assert!(walked.is_err()),
        }
    }

    /// The key of a missing target is where the kernel then creates it, and stays its key.
    #[test]
    fn creating_a_target_keeps_its_key(nodes in tree(), asked in path()) {
        let (_folder, base) = base();
        plant(&base, &nodes);
        prop_assume!(!asked.trim().is_empty());
        let spelling = spelled(&base, &asked);
        let Ok(key) = canonical(&spelling, &Cancel::new()) else { return Ok(()) };
        let place = Path::new(std::ffi::OsStr::from_bytes(&key));
        prop_assume!(place.starts_with(&base) && !place.exists());
        fs::create_dir_all(place.parent().expect("it lies beneath the base"))?;
        fs::write(std::ffi::OsStr::from_bytes(spelling.bytes()), "x")?;
        prop_assert!(place.is_file());
        prop_assert_eq!(canonical(&spelling, &Cancel::new()).expect("it is there now"), key);
    }
}

/// The fast answer is in use: without it every path would be walked by hand.
#[test]
fn a_path_without_links_is_answered_by_one_call() {
    let (_folder, base) = base();
    fs::create_dir(base.join("d")).expect("it can be made");
    for (asked, answered) in [("d", "d"), ("d/../d/./", "d"), ("d/new", "d/new")] {
        let expected = base.join(answered).into_os_string().into_encoded_bytes();
        assert_eq!(without_links(&spelled(&base, asked)), Some(expected));
    }
    assert_eq!(without_links(&spelled(&base, "new/")), None);
    assert_eq!(without_links(&spelled(&base, "new/../x")), None);
}
