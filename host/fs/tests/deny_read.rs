//! Content that nobody reads: in every mode, by every way of reading, under every spelling.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, OneShot, SandboxedFileSystem};
use dsh_fs::types::{Edit, EditGuard, Mode, ReadWindow, Report, Target, WriteGuard};
use dsh_fs::version::VersionSecret;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use support::Tree;

const MODES: [Mode; 3] = [Mode::ReadOnly, Mode::WorkspaceWrite, Mode::DangerFullAccess];

const QUIET: Report = Report {
    hunks: true,
    texts: true,
};

const TREE: &str = "ws/secrets/key = SECRET\nws/secrets/deep/key = SECRET\nws/.env = SECRET\n\
    ws/a/.env = SECRET\nws/plain = plain\nout/id = SECRET\nws/to_env => .env\n\
    ws/to_secrets => secrets\nws/to_out => $BASE/out\nws/environment = plain\n";

fn sandbox(rules: RootRules) -> SandboxedFileSystem {
    let secret = VersionSecret::random().expect("random bytes");
    let history = History::in_memory(secret.clone(), HistoryLimits::default());
    let local = LocalFileSystem::new(secret, PublishOptions::default());
    SandboxedFileSystem::new(Arc::new(local), rules).with_history(Arc::new(history))
}

fn rules(patterns: &[&str]) -> RootRules {
    let rules = RootRules::workspace_only();
    patterns.iter().fold(rules, |rules, pattern| {
        rules.with_deny_read(pattern).expect("a pattern")
    })
}

fn files(tree: &Tree, mode: Mode, patterns: &[&str], only: Option<&str>) -> Files {
    let sandbox = sandbox(rules(patterns));
    let policy = tree.policy(mode, "ws");
    let roots = sandbox.pin(&policy).expect("the workspace can be opened");
    let only = only.map(|key| OneShot {
        key: key.to_owned(),
    });
    sandbox.open(policy, roots, Guarding::Bare, only)
}

fn target(files: &Files, path: &str) -> Target {
    let target = files.resolve(path, None, &Cancel::new());
    target.expect("it resolves")
}

fn read(files: &Files, target: &Target) -> Result<String, Error> {
    let content = files.read_text(target, 1 << 20, &Cancel::new());
    content.map(|content| content.text)
}

/// Every way to content at once; they must agree.
fn readings(files: &Files, target: &Target) -> Vec<Result<(), Error>> {
    let cancel = Cancel::new();
    let window = ReadWindow {
        first_line: 1,
        first_column: 1,
        max_lines: 10,
        max_bytes: 1000,
        max_line_chars: 100,
    };
    vec![
        read(files, target).map(drop),
        files.read_window(target, &window, &cancel).map(drop),
        files.stream_text(target).next(&cancel).map(drop),
        files.read_bytes(target, 1 << 20, &cancel).map(drop),
    ]
}

#[track_caller]
fn denied(error: &Error) {
    assert_eq!(error.code, Code::SandboxDenied, "{error}");
    let detail = error.detail.as_deref().unwrap_or_default();
    assert!(detail.contains("denies reading"), "{error:?}");
    assert!(!format!("{error:?}").contains("SECRET"));
}

/// Fails without `admit_reading` in any one method of `Files`.
#[test]
fn no_mode_reads_it_in_any_way() {
    let tree = Tree::new(TREE);
    for mode in MODES {
        let files = files(&tree, mode, &["secrets", "**/.env"], None);
        for path in ["secrets/key", "secrets/deep/key", ".env", "a/.env"] {
            let target = target(&files, path);
            for reading in readings(&files, &target) {
                denied(&reading.expect_err(path));
            }
            let facts = files.stat(&target, &Cancel::new()).expect("facts pass");
            assert_eq!(facts.expect("it is there").size, Some(6), "facts pass");
        }
        for folder in ["secrets", "secrets/deep"] {
            let listing = files.list_dir(&target(&files, folder), &Cancel::new());
            denied(&listing.expect_err(folder));
        }
        for path in ["plain", "environment"] {
            for reading in readings(&files, &target(&files, path)) {
                reading.expect(path);
            }
        }
        let listed = files.list_dir(&target(&files, "."), &Cancel::new());
        assert!(listed.expect("the folder above is listed").len() > 3);
    }
}

/// Fails without the comparison of keys in `is_unreadable`.
#[test]
fn no_other_spelling_reads_it() {
    let tree = Tree::new(TREE);
    let out = tree.text("out");
    let files = files(&tree, Mode::ReadOnly, &["secrets", ".env", &out], None);
    let base = tree.text("");
    for spelling in [
        "to_env",
        "to_secrets/key",
        "to_secrets/../.env",
        "./secrets/./key",
        "a/../secrets/key",
        "to_out/id",
        "../out/id",
        "../ws/.env",
        "//secrets/../../../../../../../../../../dev/fd/0/../../x",
        &format!("{base}/ws//.env"),
    ] {
        match files.resolve(spelling, None, &Cancel::new()) {
            Ok(target) => denied(&read(&files, &target).expect_err(spelling)),
            Err(error) => assert_eq!(error.code, Code::NotFound, "{spelling}"),
        }
    }
}

/// Fails without `of_a_process` in `denies_reading`: links there lead anywhere, and no
/// key says where to.
#[test]
fn no_link_of_proc_reads_it() {
    let tree = Tree::new(TREE);
    let held = fs::File::open(tree.path("ws/.env")).expect("it is there");
    let descriptor = std::os::fd::AsRawFd::as_raw_fd(&held);
    let base = tree.text("");
    for mode in MODES {
        let files = files(&tree, mode, &[".env"], None);
        for path in [
            format!("/proc/self/root{base}/ws/.env"),
            format!("/proc/thread-self/root{base}/ws/.env"),
            format!("/proc/{}/root{base}/ws/.env", std::process::id()),
            format!("/proc/self/fd/{descriptor}"),
            format!("/dev/fd/{descriptor}"),
            "/proc/self/environ".to_owned(),
        ] {
            let target = target(&files, &path);
            denied(&read(&files, &target).expect_err(&path));
        }
        read(&files, &target(&files, "/proc/version")).expect("what is no process is read");
    }
    let files = files_without_rules(&tree);
    let path = format!("/proc/self/fd/{descriptor}");
    let content = read(&files, &target(&files, &path));
    assert_eq!(content.expect("without a rule it is read"), "SECRET");
}

fn files_without_rules(tree: &Tree) -> Files {
    files(tree, Mode::ReadOnly, &[], None)
}

/// An edit would disclose it line by line, and a diff at once. Fails without the check in
/// `admit`.
#[test]
fn no_mutation_touches_it_under_any_approval() {
    let tree = Tree::new(TREE);
    let cancel = Cancel::new();
    for mode in [Mode::WorkspaceWrite, Mode::DangerFullAccess] {
        for approved in [false, true] {
            for path in ["secrets/key", ".env", "secrets/new", "b/.env"] {
                let key = tree.text(&format!("ws/{path}"));
                let only = approved.then_some(key.as_str());
                let files = files(&tree, mode, &["secrets", "**/.env"], only);
                let target = target(&files, path);
                let guard = WriteGuard::Unconditional;
                let wrote = files.write_text(&target, "new", &guard, QUIET, &cancel);
                denied(&wrote.expect_err(path));
                let edit = Edit {
                    old_text: "SECRET".to_owned(),
                    new_text: "x".to_owned(),
                    replace_all: false,
                };
                let guard = EditGuard::Unconditional;
                let edited = files.edit_text(&target, &edit, &guard, QUIET, &cancel);
                denied(&edited.expect_err(path));
            }
        }
    }
    let kept = fs::read_to_string(tree.path("ws/.env")).expect("it is there");
    assert_eq!(kept, "SECRET");
    assert!(!tree.path("ws/b").exists(), "not even a parent is made");
}

/// A rule that names a link closes what it leads to, and the name, wherever it leads later.
/// Fails without `leads_to` in `Pattern::beneath`, and without the display path in
/// `is_unreadable`.
#[test]
fn a_rule_that_names_a_link_closes_both_ends() {
    let tree = Tree::new(TREE);
    let files = files(&tree, Mode::ReadOnly, &["to_out", "to_env"], None);
    for path in ["../out/id", ".env", "to_out/id"] {
        denied(&read(&files, &target(&files, path)).expect_err(path));
    }
    fs::remove_file(tree.path("ws/to_env")).expect("removed");
    symlink("plain", tree.path("ws/to_env")).expect("linked");
    denied(&read(&files, &target(&files, "to_env")).expect_err("by its name"));
    assert_eq!(
        read(&files, &target(&files, "plain")).expect("read"),
        "plain"
    );
}

/// What was judged is what is opened. Fails without `ResolveFlags::NO_SYMLINKS` in
/// `open_as_it_is`.
#[test]
fn nothing_is_read_while_a_directory_is_swapped() {
    let tree = Tree::new("ws/d/f = plain\nout/f = SECRET\nws/l => $BASE/out\n");
    let out = tree.text("out");
    let files = files(&tree, Mode::DangerFullAccess, &[&out], None);
    let held = target(&files, "d/f");
    let folder = target(&files, "d");
    let (one, other) = (tree.path("ws/d"), tree.path("ws/l"));
    let done = AtomicBool::new(false);
    let (mut plain, mut refused) = (0, 0);
    thread::scope(|scope| {
        let _stopped = Stopped(&done);
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).expect("swapped");
            }
        });
        let until = Instant::now() + Duration::from_secs(2);
        while Instant::now() < until {
            let now = files.resolve("d/f", None, &Cancel::new());
            let targets = now.iter().chain([&held]);
            for target in targets {
                match read(&files, target) {
                    Ok(content) => {
                        assert_eq!(content, "plain");
                        plain += 1;
                    }
                    Err(_) => refused += 1,
                }
                let bytes = files.read_bytes(target, 100, &Cancel::new());
                assert!(bytes.map_or(true, |bytes| bytes == b"plain"));
            }
            let listed = files.list_dir(&folder, &Cancel::new());
            let size = listed.map_or(Some(5), |children| children[0].size);
            assert_eq!(size, Some(5), "the listing is not that of the other folder");
        }
    });
    assert!(plain > 0 && refused > 0, "{plain} read, {refused} refused");
}

/// Ends the swapping, also where the test fails.
struct Stopped<'a>(&'a AtomicBool);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Pattern, then paths beneath the workspace that it covers, and paths that it does not.
const MATCHES: &[(&str, &[&str], &[&str])] = &[
    (
        ".env",
        &[".env", ".env/x"],
        &["a/.env", ".envrc", "x.env", ".ENV"],
    ),
    (
        "**/.env",
        &[".env", "a/.env", "a/b/.env/c"],
        &[".envrc", "a/x.env"],
    ),
    ("*.pem", &["a.pem", ".pem", "a.pem/x"], &["a/b.pem", "pem"]),
    ("**/*.pem", &["a.pem", "a/b/c.pem"], &["a/pem"]),
    (
        "secrets/",
        &["secrets", "secrets/a/b"],
        &["secrets2", "a/secrets"],
    ),
    ("secrets/**", &["secrets", "secrets/a/b"], &["secrets2"]),
    ("secrets/*", &["secrets/a", "secrets/a/b"], &["secrets"]),
    (
        "a/**/key",
        &["a/key", "a/b/c/key", "a/key/x"],
        &["key", "b/key"],
    ),
    ("{a,b}/k?", &["a/k1", "b/k2/x"], &["c/k1", "a/k", "a/k12"]),
    ("[!a]x", &["bx"], &["ax"]),
    ("**", &["a", "a/b"], &[]),
    ("[~]/x", &["~/x"], &["x"]),
];

#[test]
fn a_pattern_covers_what_it_says() {
    let tree = Tree::new("ws/\n");
    for (pattern, covered, others) in MATCHES {
        let sandbox = sandbox(rules(&[pattern]));
        let policy = tree.policy(Mode::ReadOnly, "ws");
        let roots = sandbox.pin(&policy).expect("the workspace can be opened");
        let matches = |path: &str| {
            let path = format!("{}/{path}", tree.text("ws"));
            roots.deny_read_matches(path.as_bytes())
        };
        for path in *covered {
            assert!(matches(path), "{pattern} covers {path}");
        }
        for path in *others {
            assert!(!matches(path), "{pattern} does not cover {path}");
        }
        assert!(!roots.deny_read_matches(b"/elsewhere/a.pem"), "{pattern}");
    }
}

#[test]
fn names_that_are_not_utf_8_are_covered_by_wildcards() {
    let tree = Tree::new("ws/\n");
    let sandbox = sandbox(rules(&["**/*.key"]));
    let policy = tree.policy(Mode::ReadOnly, "ws");
    let roots = sandbox.pin(&policy).expect("the workspace can be opened");
    let path = [tree.text("ws").as_bytes(), b"/\xff\xfe.key"].concat();
    assert!(roots.deny_read_matches(&path));
}

/// Relative rules reach beneath the workspace and every further root, in every mode.
#[test]
fn a_relative_rule_reaches_beneath_every_root() {
    let tree = Tree::new("ws/.env = SECRET\nmore/.env = SECRET\nelse/.env = plain\n");
    let rules = rules(&[".env"]).with_root(tree.path("more"));
    let sandbox = sandbox(rules);
    for mode in MODES {
        let policy = tree.policy(mode, "ws");
        let roots = sandbox.pin(&policy).expect("the roots can be opened");
        let files = sandbox.open(policy, roots, Guarding::Required, None);
        for path in [".env", "../more/.env"] {
            denied(&read(&files, &target(&files, path)).expect_err(path));
        }
        read(&files, &target(&files, "../else/.env")).expect("it is beneath no root");
    }
}

#[test]
fn a_pattern_that_could_match_nothing_is_refused() {
    for (pattern, words) in [
        ("", "empty"),
        ("  ", "empty"),
        ("~/.ssh", "absolute path"),
        ("$HOME/.ssh", "absolute path"),
        ("!.env", "cannot take another one back"),
        ("./x", "match nothing"),
        ("a/../b", "match nothing"),
        ("a//b", "match nothing"),
        ("//a", "match nothing"),
        ("{a,../b}", "match nothing"),
        ("a[", "no glob"),
        ("{a", "no glob"),
        ("a\0b", "NUL"),
    ] {
        let refused = RootRules::workspace_only().with_deny_read(pattern);
        let error = refused.expect_err(pattern);
        assert!(error.reason.contains(words), "{pattern}: {error}");
    }
}
