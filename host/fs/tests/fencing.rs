//! The order of the fence, its roots, and what it does not let through.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::roots::{RootRules, Roots};
use dsh_fs::sandbox::{Files, Guarding, OneShot, SandboxedFileSystem};
use dsh_fs::types::{Edit, EditGuard, Mode, Report, Target, WriteGuard};
use support::Tree;
use support::recorder::Recorder;

/// A sandbox over a tree, with roots that were pinned when it was made.
struct Fenced {
    tree: Tree,
    recorder: Arc<Recorder>,
    sandbox: SandboxedFileSystem,
    mode: Mode,
    roots: Arc<Roots>,
}

impl Fenced {
    fn new(nodes: &str, mode: Mode, rules: impl FnOnce(&Tree) -> RootRules) -> Self {
        let tree = Tree::new(nodes);
        let recorder = Recorder::new();
        let sandbox = SandboxedFileSystem::new(recorder.clone(), rules(&tree));
        let roots = sandbox
            .pin(&tree.policy(mode, "ws"))
            .expect("the roots can be opened");
        Self {
            tree,
            recorder,
            sandbox,
            mode,
            roots,
        }
    }

    fn plain(nodes: &str, mode: Mode) -> Self {
        Self::new(nodes, mode, |_| RootRules::workspace_only())
    }

    fn files(&self, guarding: Guarding, only: Option<&str>) -> Files {
        let policy = self.tree.policy(self.mode, "ws");
        let only = only.map(|path| OneShot {
            key: self.tree.text(path),
        });
        self.sandbox
            .open(policy, Arc::clone(&self.roots), guarding, only)
    }

    fn target(&self, path: &str) -> Target {
        let files = self.files(Guarding::Required, None);
        files
            .resolve(&self.tree.filled(path), None, &Cancel::new())
            .expect("it resolves")
    }

    /// Writes, and answers the root that the write must stay beneath.
    fn write(&self, target: &Target) -> Result<Option<String>, Error> {
        write(&self.files(Guarding::Required, None), target)?;
        Ok(self.recorder.landed().pop().expect("it landed").1)
    }

    fn write_path(&self, path: &str) -> Result<Option<String>, Error> {
        self.write(&self.target(path))
    }

    #[track_caller]
    fn denied(&self, path: &str) -> Error {
        self.denied_target(&self.target(path))
    }

    #[track_caller]
    fn denied_target(&self, target: &Target) -> Error {
        let error = self.write(target).expect_err("it is denied");
        assert_eq!(error.code, Code::SandboxDenied, "{error}");
        let reason = format!("file access denied under {} mode", self.mode.name());
        assert_eq!(
            error.message,
            format!("cannot write \"{}\": {reason}", target.display)
        );
        assert!(self.recorder.landed().is_empty());
        error
    }
}

fn write(files: &Files, target: &Target) -> Result<(), Error> {
    let (guard, report) = (WriteGuard::CreateIfAbsent, Report::default());
    files
        .write_text(target, "x", &guard, report, &Cancel::new())
        .map(drop)
}

fn edit(files: &Files, target: &Target, guard: &EditGuard) -> Result<(), Error> {
    let edit = Edit {
        old_text: "a".into(),
        new_text: "b".into(),
        replace_all: false,
    };
    files
        .edit_text(target, &edit, guard, Report::default(), &Cancel::new())
        .map(drop)
}

fn relink(fenced: &Fenced, link: &str, to: &str) {
    let link = fenced.tree.path(link);
    fs::remove_file(&link).expect("it is removed");
    symlink(fenced.tree.filled(to), link).expect("a link");
}

/// Seen red without the first check of `Fence::admit`: the denial then comes after the guard.
#[test]
fn read_only_denies_before_everything_else() {
    let fenced = Fenced::plain("ws/a\nws/d/", Mode::ReadOnly);
    for path in ["a", "d", "p/new", "/tmp/x"] {
        fenced.denied(path);
    }
    let files = fenced.files(Guarding::Required, Some("ws/other"));
    let error = edit(&files, &fenced.target("a"), &EditGuard::Unconditional).expect_err("denied");
    let shown = fenced.tree.text("ws/a");
    let words = format!("cannot write \"{shown}\": file access denied under read-only mode");
    assert_eq!((error.code, error.message), (Code::SandboxDenied, words));
    assert!(files.writable_roots().is_empty());
}

#[test]
fn a_guarded_handle_refuses_what_has_no_guard() {
    let fenced = Fenced::plain("ws/a", Mode::WorkspaceWrite);
    let target = fenced.target("a");
    let bare = fenced.files(Guarding::Bare, None);
    let guarded = fenced.files(Guarding::Required, None);
    let unguarded = |files: &Files| {
        let guard = WriteGuard::Unconditional;
        files
            .write_text(&target, "x", &guard, Report::default(), &Cancel::new())
            .map(drop)
    };
    assert_eq!(
        unguarded(&guarded).map_err(|error| error.code),
        Err(Code::NotObserved)
    );
    let edited = edit(&guarded, &target, &EditGuard::Unconditional);
    assert_eq!(edited.map_err(|error| error.code), Err(Code::NotObserved));
    assert!(fenced.recorder.landed().is_empty());
    assert_eq!(unguarded(&bare), Ok(()));
    assert_eq!(
        edit(&guarded, &target, &EditGuard::IfVersion("v".into())),
        Ok(())
    );
}

#[test]
fn workspace_write_stays_beneath_its_root() {
    let fenced = Fenced::plain(
        "ws/a\nout/a\nws/l => $BASE/out\nws/in => d\nws/d/",
        Mode::WorkspaceWrite,
    );
    let root = Some(fenced.tree.text("ws"));
    assert_eq!(fenced.write_path("a"), Ok(root.clone()));
    assert_eq!(fenced.write_path("n/new"), Ok(root.clone()));
    assert_eq!(fenced.write_path("in/new"), Ok(root));
    let error = fenced.write_path(".").expect_err("the root itself");
    let words = format!(
        "cannot write \"{}\": not a regular file",
        fenced.tree.text("ws")
    );
    assert_eq!((error.code, error.message), (Code::NotRegularFile, words));
}

#[test]
fn the_denials_of_workspace_write() {
    let fenced = Fenced::plain(
        "ws/\nout/a\nws/l => $BASE/out\nws/g => $BASE/out/gone",
        Mode::WorkspaceWrite,
    );
    for path in [
        "$BASE/out/a",
        "$BASE/out/p/n",
        "l/a",
        "l/n/m",
        "g",
        "../ws2",
        "/tmp/x",
    ] {
        assert_eq!(fenced.denied(path).detail, None);
    }
}

#[test]
fn full_access_is_not_fenced_and_keeps_its_target() {
    let fenced = Fenced::plain("ws/l => d\nws/d/\nout/", Mode::DangerFullAccess);
    assert_eq!(fenced.write_path("$BASE/out/n"), Ok(None));
    let target = fenced.target("l/n");
    relink(&fenced, "ws/l", "$BASE/out");
    assert_eq!(fenced.write(&target), Ok(None));
    assert_eq!(
        fenced.recorder.landed()[1].0.key,
        fenced.tree.text("ws/d/n")
    );
}

/// Seen red without the second half of `Fence::leads_to`: the write then goes to where
/// the link led before.
#[test]
fn a_link_that_leads_elsewhere_by_now_is_noticed() {
    let fenced = Fenced::plain("ws/l => d\nws/d/\nws/e/\nout/", Mode::WorkspaceWrite);
    let target = fenced.target("l/n");
    relink(&fenced, "ws/l", "e");
    let error = fenced.write(&target).expect_err("it leads elsewhere");
    assert_eq!(error.code, Code::StaleVersion);
    assert!(
        error
            .detail
            .expect("it says so")
            .contains("leads elsewhere")
    );
    relink(&fenced, "ws/l", "$BASE/out");
    fenced.denied_target(&target);
    relink(&fenced, "ws/l", "l");
    assert_eq!(
        fenced.write(&target).expect_err("a loop").code,
        Code::StaleVersion
    );
}

/// Seen red without the first half of `Fence::leads_to`: the key is then taken on trust.
#[test]
fn a_directory_that_became_a_link_is_noticed() {
    let fenced = Fenced::plain("ws/d/\nws/e/\nout/", Mode::WorkspaceWrite);
    let target = Target {
        display: "shown".into(),
        ..fenced.target("d/n")
    };
    fs::remove_dir(fenced.tree.path("ws/d")).expect("it is removed");
    symlink("e", fenced.tree.path("ws/d")).expect("a link");
    assert_eq!(
        fenced.write(&target).expect_err("inside").code,
        Code::StaleVersion
    );
    relink(&fenced, "ws/d", "../out");
    fenced.denied_target(&target);
}

#[test]
fn a_forged_key_opens_nothing() {
    let fenced = Fenced::plain("ws/a\nout/a", Mode::WorkspaceWrite);
    for (key, code) in [
        (fenced.tree.text("ws/../out/a"), Code::SandboxDenied),
        (fenced.tree.text("ws/./a"), Code::StaleVersion),
        (fenced.tree.text("ws//a"), Code::StaleVersion),
        ("a".to_owned(), Code::SandboxDenied),
        (String::new(), Code::StaleVersion),
    ] {
        let target = Target {
            key: key.clone(),
            display: key,
        };
        assert_eq!(
            fenced.write(&target).expect_err("forged").code,
            code,
            "{}",
            target.key
        );
    }
    assert!(fenced.recorder.landed().is_empty());
}

#[test]
fn one_approval_is_one_change_of_one_target() {
    for mode in [Mode::WorkspaceWrite, Mode::DangerFullAccess] {
        let fenced = Fenced::plain("ws/a\nws/b\nws/l => d\nws/d/\nws/e/", mode);
        let only = fenced.files(Guarding::Required, Some("ws/a"));
        let detail = |files: &Files, path: &str| {
            let error = write(files, &fenced.target(path)).expect_err("it is refused");
            assert_eq!(error.code, Code::SandboxDenied);
            error.detail.expect("it says why")
        };
        assert!(detail(&only, "b").contains("another target"));
        assert_eq!(write(&only, &fenced.target("a")), Ok(()));
        assert!(detail(&only, "a").contains("has been made"));
        let linked = fenced.files(Guarding::Required, Some("ws/d/n"));
        let target = fenced.target("l/n");
        relink(&fenced, "ws/l", "e");
        let error = write(&linked, &target).expect_err("it leads elsewhere");
        assert_eq!(error.code, Code::StaleVersion);
    }
}

/// Remove the swap of `Fence::use_up` and both threads get through.
#[test]
fn two_threads_share_one_approval() {
    let fenced = Fenced::plain("ws/a", Mode::WorkspaceWrite);
    let only = fenced.files(Guarding::Required, Some("ws/a"));
    let target = fenced.target("a");
    std::thread::scope(|scope| {
        let attempts: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| write(&only, &target)))
            .collect();
        let made = attempts
            .into_iter()
            .filter_map(|attempt| attempt.join().expect("no panic").ok());
        assert_eq!(made.count(), 1);
    });
}

/// Seen red without the first `is_unmoved` of `Fence::beneath_a_root`.
#[test]
fn a_root_that_is_another_directory_by_now_is_denied() {
    let moved = "the workspace root is no longer the directory that this session started with";
    for (nodes, swap) in [
        ("ws/\nother/", "directory"),
        ("ws/\nother/", "link"),
        ("ws/", "nothing"),
    ] {
        let fenced = Fenced::plain(nodes, Mode::WorkspaceWrite);
        assert!(fenced.write_path("x").is_ok());
        let target = fenced.target("y");
        fs::rename(fenced.tree.path("ws"), fenced.tree.path("ws.old")).expect("it is moved");
        match swap {
            "directory" => {
                fs::rename(fenced.tree.path("other"), fenced.tree.path("ws")).expect("moved")
            }
            "link" => symlink("other", fenced.tree.path("ws")).expect("a link"),
            _ => {}
        }
        let error = fenced.write(&target).expect_err("it is denied");
        assert_eq!(
            (error.code, error.detail.as_deref()),
            (Code::SandboxDenied, Some(moved))
        );
    }
}

#[test]
fn a_root_that_does_not_exist_contains_nothing() {
    let fenced = Fenced::plain("out/", Mode::WorkspaceWrite);
    assert!(
        fenced
            .files(Guarding::Required, None)
            .writable_roots()
            .is_empty()
    );
    fenced.denied("a");
    fs::create_dir(fenced.tree.path("ws")).expect("it is made later");
    fenced.denied("a");
}

#[test]
fn the_roots_come_in_order_and_once() {
    let tree = Tree::new("ws/t/\nl => ws\nfile\nother/");
    let derived = |rules: RootRules, mode, workspace: &str| {
        rules
            .derive(&tree.policy(mode, workspace))
            .expect("they can be opened")
            .texts()
    };
    let write = Mode::WorkspaceWrite;
    let (ws, t, tmp) = (tree.text("ws"), tree.text("ws/t"), "/tmp".to_owned());
    let with = |path: &str| RootRules::new(Some(Path::new(path)));
    assert_eq!(
        derived(with("/tmp"), write, "ws"),
        [ws.clone(), tmp.clone()]
    );
    assert_eq!(
        derived(with(&t), write, "ws"),
        [ws.clone(), tmp.clone(), t.clone()]
    );
    assert_eq!(derived(with("/tmp"), write, "/tmp"), ["/tmp"]);
    assert_eq!(
        derived(with(&format!("{t}/")), write, "ws/t"),
        [t, tmp.clone()]
    );
    assert_eq!(derived(with("relative"), write, "l"), [ws.clone(), tmp]);
    let rules = RootRules::workspace_only()
        .with_root(tree.path("other"))
        .with_root(tree.path("file"))
        .with_root(tree.path("none"))
        .with_root(tree.path("l"));
    assert_eq!(derived(rules, write, "ws"), [ws, tree.text("other")]);
    for mode in [Mode::ReadOnly, Mode::DangerFullAccess] {
        assert!(derived(with("/tmp"), mode, "ws").is_empty());
    }
}

/// Seen red without the second `is_unmoved` of `Fence::beneath_a_root`, and without the
/// one of `RootRules::derive`.
#[test]
fn an_extra_root_is_the_directory_that_the_host_started_with() {
    let fenced = Fenced::new(
        "ws/\ntmp/\nother/\nl => tmp",
        Mode::WorkspaceWrite,
        |tree| RootRules::new(Some(&tree.path("l"))),
    );
    let roots = |fenced: &Fenced| fenced.files(Guarding::Required, None).writable_roots();
    let (ws, tmp) = (fenced.tree.text("ws"), fenced.tree.text("tmp"));
    assert_eq!(roots(&fenced), [ws.clone(), "/tmp".to_owned(), tmp.clone()]);
    relink(&fenced, "l", "other");
    let pin = || {
        fenced
            .sandbox
            .pin(&fenced.tree.policy(fenced.mode, "ws"))
            .expect("they open")
    };
    assert_eq!(pin().texts(), [ws.clone(), "/tmp".to_owned(), tmp.clone()]);
    let target = fenced.target("$BASE/tmp/x");
    fs::rename(fenced.tree.path("tmp"), fenced.tree.path("old")).expect("it is moved");
    fs::rename(fenced.tree.path("other"), fenced.tree.path("tmp")).expect("it is moved");
    let error = fenced.denied_target(&target);
    assert!(
        error
            .detail
            .expect("it says why")
            .contains("is no longer the directory")
    );
    assert_eq!(pin().texts(), [ws, "/tmp".to_owned()]);
}

#[test]
fn temporary_directories_are_roots_unless_switched_off() {
    let fenced = Fenced::new("ws/", Mode::WorkspaceWrite, |_| RootRules::new(None));
    assert_eq!(fenced.write_path("/tmp/x"), Ok(Some("/tmp".to_owned())));
    Fenced::plain("ws/", Mode::WorkspaceWrite).denied("/tmp/x");
}

/// Seen red without the `protecting` check of `Fence::beneath_a_root`.
#[test]
fn protected_sub_paths_stay_read_only() {
    let fenced = Fenced::new(
        "ws/.git/objects/\nws/repo/\nws/l => .git",
        Mode::WorkspaceWrite,
        |tree| {
            RootRules::workspace_only()
                .with_protected(".git/hooks")
                .with_protected(".git/config")
                .with_protected(tree.path("ws/repo/.git"))
        },
    );
    for path in [
        ".git/hooks/pre-commit",
        ".git/hooks",
        ".git/config",
        "l/config",
        "repo/.git/x/y",
        ".git",
    ] {
        let error = fenced.denied(path);
        assert!(
            error
                .detail
                .expect("it says why")
                .contains("is kept read-only")
        );
    }
    for path in [
        ".git/objects/ab",
        ".git/hooks2",
        ".git/config.lock",
        "repo/x",
        "config",
    ] {
        assert!(fenced.write_path(path).is_ok(), "{path}");
    }
    // A link put in the way later protects the place it leads to.
    fs::rename(fenced.tree.path("ws/.git"), fenced.tree.path("ws/real")).expect("moved");
    symlink("real", fenced.tree.path("ws/.git")).expect("a link");
    let error = fenced.write_path("real/hooks/x").expect_err("it is denied");
    assert_eq!(error.code, Code::SandboxDenied);
}

#[test]
fn the_root_of_everything_contains_everything_but_proc() {
    let fenced = Fenced::new("ws/\nout/", Mode::WorkspaceWrite, |_| {
        RootRules::workspace_only().with_root("/")
    });
    assert_eq!(fenced.write_path("$BASE/out/a"), Ok(Some("/".to_owned())));
    let error = fenced
        .write_path("/proc/self/cwd/x")
        .expect_err("it is denied");
    assert!(error.detail.expect("it says why").contains("/proc"));
}

/// Fails without the call of `leads_through_proc` in `anywhere`: then a stale version is claimed,
/// and a model tries again for ever.
#[test]
fn full_access_leaves_proc_alone() {
    let fenced = Fenced::plain("ws/", Mode::DangerFullAccess);
    let error = fenced
        .write_path("/proc/self/cwd/x")
        .expect_err("it is denied");
    assert_eq!(error.code, Code::SandboxDenied);
    assert!(error.detail.expect("it says why").contains("/proc"));
}

#[test]
fn the_whole_disk_is_no_temporary_directory() {
    let fenced = Fenced::new("ws/\nout/", Mode::WorkspaceWrite, |_| {
        RootRules::new(Some(Path::new("/")))
    });
    let error = fenced.write_path("$BASE/out/a").expect_err("it is denied");
    assert_eq!(error.code, Code::SandboxDenied);
}

#[test]
fn characters_that_show_nothing_are_shown() {
    let fenced = Fenced::plain("ws/", Mode::ReadOnly);
    let error = fenced.write_path("a\u{3164}\\n").expect_err("it is denied");
    assert!(
        error.message.contains("a\\u{3164}\\\\n\""),
        "{}",
        error.message
    );
}

#[test]
fn names_are_escaped_in_messages() {
    let fenced = Fenced::plain("ws/", Mode::ReadOnly);
    let error = fenced.write_path("a\n\u{202E}b").expect_err("it is denied");
    assert!(
        error.message.contains("a\\n\\u{202e}b\""),
        "{}",
        error.message
    );
}

fn remove(files: &Files, target: &Target) -> Result<(), Error> {
    files.remove(target, "v", &Cancel::new()).map(drop)
}

/// A removal passes the fence as a write does. Fails when `Files::remove` does not ask it.
#[test]
fn removals_pass_the_fence() {
    let reading = Fenced::plain("ws/a", Mode::ReadOnly);
    let files = reading.files(Guarding::Bare, None);
    let error = remove(&files, &reading.target("a")).expect_err("denied");
    assert_eq!(error.code, Code::SandboxDenied);

    let fenced = Fenced::new("ws/a\nws/.git/hooks/h\nout/b", Mode::WorkspaceWrite, |_| {
        RootRules::workspace_only().with_protected(".git/hooks")
    });
    let files = fenced.files(Guarding::Required, None);
    for path in [".git/hooks/h", "../out/b"] {
        let error = remove(&files, &fenced.target(path)).expect_err("denied");
        assert_eq!(error.code, Code::SandboxDenied, "{path}");
    }
    assert!(fenced.recorder.landed().is_empty());
    remove(&files, &fenced.target("a")).expect("it is inside");
    let landed = fenced.recorder.landed();
    assert_eq!(landed[0].1, Some(fenced.tree.text("ws")));
}

/// One approval is one removal, of the file that was approved.
#[test]
fn a_removal_uses_an_approval_up() {
    let fenced = Fenced::plain("ws/\nout/a\nout/b", Mode::DangerFullAccess);
    let files = fenced.files(Guarding::Required, Some("out/a"));
    let (a, b) = (fenced.target("../out/a"), fenced.target("../out/b"));
    let other = remove(&files, &b).expect_err("not the approved one");
    assert_eq!(other.code, Code::SandboxDenied);
    remove(&files, &a).expect("approved");
    let used = remove(&files, &a).expect_err("used up");
    assert_eq!(used.code, Code::SandboxDenied);
    assert_eq!(fenced.recorder.landed().len(), 1);
}
