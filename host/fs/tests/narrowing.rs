//! Roots that are held to a few directories: what they have in common, and nothing more.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Code;
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::{RootRules, Roots};
use dsh_fs::sandbox::{Guarding, OneShot, SandboxedFileSystem};
use dsh_fs::types::{Mode, Report, WriteGuard};
use dsh_fs::version::VersionSecret;
use support::Tree;

const NODES: &str = "ws/deep/in/\nws/other/\nextra/\nout/\nlink => $BASE/ws/deep";

struct Narrowed {
    tree: Tree,
    sandbox: SandboxedFileSystem,
}

impl Narrowed {
    fn new() -> Self {
        let tree = Tree::new(NODES);
        let secret = VersionSecret::random().expect("random bytes");
        let local = LocalFileSystem::new(secret, PublishOptions::default());
        let rules = RootRules::workspace_only().with_root(tree.path("extra"));
        Self {
            sandbox: SandboxedFileSystem::new(Arc::new(local), rules),
            tree,
        }
    }

    fn roots(&self, mode: Mode, to: &[&str]) -> Roots {
        let roots = self.sandbox.pin(&self.tree.policy(mode, "ws"));
        let to: Vec<PathBuf> = to.iter().map(|path| self.tree.path(path)).collect();
        roots.expect("the roots can be opened").narrowed_to(&to)
    }

    /// The code of a creation, or `None` where it was done.
    fn create(&self, mode: Mode, roots: &Arc<Roots>, path: &str, approved: bool) -> Option<Code> {
        let policy = self.tree.policy(mode, "ws");
        let only = approved.then(|| OneShot {
            key: self.tree.text(path),
        });
        let roots = Arc::clone(roots);
        let files = self.sandbox.open(policy, roots, Guarding::Required, only);
        let target = files.resolve(&self.tree.text(path), None, &Cancel::new());
        let target = target.expect("it can be resolved");
        let guard = WriteGuard::CreateIfAbsent;
        let done = files.write_text(&target, "x", &guard, Report::default(), &Cancel::new());
        assert_eq!(done.is_ok(), self.tree.path(path).exists(), "{path}");
        done.err().map(|error| error.code)
    }
}

/// An inner directory narrows, an outer one leaves the root as it is, one elsewhere and one
/// that is missing contain nothing; a link stands for where it leads.
#[test]
fn roots_become_what_they_have_in_common_with_the_directories() {
    let place = Narrowed::new();
    for (to, left) in [
        (&["ws/deep"][..], &["ws/deep"][..]),
        (&[""], &["ws", "extra"]),
        (&["ws"], &["ws"]),
        (&["out", "missing"], &[]),
        (&[], &[]),
        (&["link", "ws/deep", "extra"], &["ws/deep", "extra"]),
        (&["ws/de"], &[]),
    ] {
        let roots = place.roots(Mode::WorkspaceWrite, to);
        let left: Vec<_> = left.iter().map(|path| place.tree.text(path)).collect();
        assert_eq!(roots.texts(), left, "{to:?}");
        assert!(roots.is_narrowed());
    }
    let full = place.roots(Mode::DangerFullAccess, &["ws/deep", "out"]);
    assert_eq!(
        full.texts(),
        [place.tree.text("ws/deep"), place.tree.text("out")]
    );
    assert_eq!(full.mode(), Mode::WorkspaceWrite);
}

/// Turns red without `excludes` in the fence.
#[test]
fn nothing_is_changed_outside_whatever_the_mode_and_the_approval() {
    let place = Narrowed::new();
    for mode in [Mode::WorkspaceWrite, Mode::DangerFullAccess] {
        let roots = Arc::new(place.roots(mode, &["ws/deep"]));
        let name = mode.name();
        for approved in [false, true] {
            for path in ["ws/x", "ws/other/x", "extra/x", "out/x"] {
                let code = place.create(mode, &roots, path, approved);
                assert_eq!(code, Some(Code::SandboxDenied), "{path} under {name}");
            }
        }
        let inside = format!("ws/deep/in/{name}");
        assert_eq!(place.create(mode, &roots, &inside, false), None);
    }
    let roots = Arc::new(place.roots(Mode::ReadOnly, &["ws"]));
    let code = place.create(Mode::ReadOnly, &roots, "ws/x", false);
    assert_eq!(code, Some(Code::SandboxDenied));
}

/// A directory that is another one now opens nothing. Turns red where full access that is
/// narrowed goes the way of full access in the fence.
#[test]
fn a_directory_that_was_exchanged_contains_nothing() {
    let place = Narrowed::new();
    let roots = Arc::new(place.roots(Mode::DangerFullAccess, &["out"]));
    std::fs::rename(place.tree.path("out"), place.tree.path("was-out")).expect("a rename");
    std::fs::create_dir(place.tree.path("out")).expect("another directory");
    let code = place.create(Mode::DangerFullAccess, &roots, "out/x", false);
    assert_eq!(code, Some(Code::SandboxDenied));
}
