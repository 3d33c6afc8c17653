//! The secret of an installation in its file.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use dsh_fs::version::VersionSecret;
use support::Tree;

#[test]
fn a_secret_is_made_once_private_and_found_again() {
    let tree = Tree::new("state/");
    let path = tree.path("state/secret");
    let first = VersionSecret::load_or_create(&path).expect("it is made");
    let second = VersionSecret::load_or_create(&path).expect("it is found");
    assert_eq!(first.version_of(b"x"), second.version_of(b"x"));
    let metadata = fs::metadata(&path).expect("it is there");
    assert_eq!(
        (metadata.len(), metadata.permissions().mode() & 0o777),
        (192, 0o600)
    );
    assert_eq!(
        fs::read_dir(tree.path("state")).expect("a folder").count(),
        1
    );
}

#[test]
fn processes_that_start_at_once_agree() {
    let tree = Tree::new("state/");
    let path = tree.path("state/secret");
    std::thread::scope(|scope| {
        let loaders: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| VersionSecret::load_or_create(&path).expect("it is there")))
            .collect();
        let mut versions: Vec<_> = loaders
            .into_iter()
            .map(|loader| loader.join().expect("no panic").version_of(b"x"))
            .collect();
        versions.dedup();
        assert_eq!(versions.len(), 1);
    });
}

/// Remove `check` of `version/secret.rs` and each of these is taken.
#[test]
fn a_secret_that_is_short_shared_or_linked_is_refused() {
    let tree = Tree::new("state/short = x\nstate/l => good\nstate/d/");
    VersionSecret::load_or_create(&tree.path("state/good")).expect("it is made");
    VersionSecret::load_or_create(&tree.path("state/shared")).expect("it is made");
    fs::set_permissions(tree.path("state/shared"), fs::Permissions::from_mode(0o640))
        .expect("it is shared");
    fs::set_permissions(tree.path("state/short"), fs::Permissions::from_mode(0o600))
        .expect("it is private");
    for name in ["short", "shared", "l", "d"] {
        assert!(
            VersionSecret::load_or_create(&tree.path("state").join(name)).is_err(),
            "{name}"
        );
    }
    assert!(VersionSecret::load_or_create(&tree.path("none/secret")).is_err());
    assert_eq!(
        format!("{:?}", VersionSecret::random().expect("it is")),
        "VersionSecret(..)"
    );
}
