//! What a stale error says.

use std::fs;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::LocalFileSystem;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{Edit, EditGuard, Mode, ReadWindow, Report, Target, WriteGuard};
use dsh_fs::version::VersionSecret;

use crate::support::Tree;

struct Bench {
    tree: Tree,
    files: Files,
}

impl Bench {
    /// A workspace with one file of this content, and files with a history.
    fn new(content: &str, history: impl FnOnce(VersionSecret) -> History) -> Self {
        let tree = Tree::new("ws/");
        fs::write(tree.path("ws/f"), content).unwrap();
        let secret = VersionSecret::random().unwrap();
        let local = LocalFileSystem::new(secret.clone(), Default::default());
        let sandbox = SandboxedFileSystem::new(Arc::new(local), RootRules::workspace_only())
            .with_history(Arc::new(history(secret)));
        let policy = tree.policy(Mode::WorkspaceWrite, "ws");
        let roots = sandbox.pin(&policy).unwrap();
        let files = sandbox.open(policy, roots, Guarding::Required, None);
        Self { tree, files }
    }

    fn with_texts(content: &str) -> Self {
        Self::new(content, |secret| {
            History::in_memory(secret, HistoryLimits::default())
        })
    }

    fn target(&self) -> Target {
        self.files.resolve("f", None, &Cancel::new()).unwrap()
    }

    /// Reads one line of the file; answers the version of the whole.
    fn read(&self) -> String {
        self.read_part(1, 1)
    }

    fn read_part(&self, first_column: u32, max_lines: u32) -> String {
        let window = ReadWindow {
            first_line: 1,
            first_column,
            max_lines,
            max_bytes: 1000,
            max_line_chars: 1000,
        };
        let window = self
            .files
            .read_window(&self.target(), &window, &Cancel::new());
        window.unwrap().version
    }

    fn write(&self, content: &str, version: String) -> Result<String, Error> {
        let guard = WriteGuard::ReplaceIfVersion(version);
        let report = Report::default();
        self.files
            .write_text(&self.target(), content, &guard, report, &Cancel::new())
            .map(|mutation| mutation.version)
    }

    fn edit(&self, old: &str, new: &str, version: String) -> Result<String, Error> {
        let edit = Edit {
            old_text: old.into(),
            new_text: new.into(),
            replace_all: false,
        };
        let (guard, report) = (EditGuard::IfVersion(version), Report::default());
        self.files
            .edit_text(&self.target(), &edit, &guard, report, &Cancel::new())
            .map(|mutation| mutation.version)
    }

    fn outside(&self, content: &[u8]) {
        fs::write(self.tree.path("ws/f"), content).unwrap();
    }
}

fn detail(result: Result<String, Error>) -> Option<String> {
    let error = result.expect_err("the file changed");
    assert_eq!(error.code, Code::StaleVersion, "{error}");
    error.detail
}

const HEAD: &str = "What changed since it was seen (- then, + now):";

/// Fails when `explained` or `remember` is taken out: there is no detail, or sizes only.
#[test]
fn a_stale_write_shows_the_changed_lines_also_where_a_part_was_read() {
    let bench = Bench::with_texts("one\ntwo\nthree\n");
    let version = bench.read();
    bench.outside(b"one\ntwo\nTHREE\n");
    let expected = format!("{HEAD}\n  2: two\n- 3: three\n+ 3: THREE");
    let found = detail(bench.write("mine\n", version.clone()));
    assert_eq!(found.as_deref(), Some(expected.as_str()));
    assert_eq!(
        detail(bench.edit("one", "1", version)).as_deref(),
        Some(expected.as_str())
    );
}

/// Fails when the new text is not kept after a write or an edit.
#[test]
fn what_a_session_wrote_itself_is_known_too() {
    let bench = Bench::with_texts("one\n");
    let edited = bench.edit("one", "two", bench.read()).unwrap();
    bench.outside(b"three\n");
    let found = detail(bench.write("x", edited)).unwrap();
    assert_eq!(found, format!("{HEAD}\n- 1: two\n+ 1: three"));
    let written = bench.write("four\n", bench.read()).unwrap();
    bench.outside(b"five\n");
    let found = detail(bench.write("x", written)).unwrap();
    assert_eq!(found, format!("{HEAD}\n- 1: four\n+ 1: five"));
}

#[test]
fn without_texts_there_are_sizes_and_times() {
    let bench = Bench::new("secret\n", History::of_sizes);
    let version = bench.read();
    bench.outside(b"another secret\n");
    let found = detail(bench.write("mine\n", version)).unwrap();
    let known = "The text that was seen is not kept. 7 bytes when it was seen, 15 bytes now, last \
                 modified ";
    assert!(found.starts_with(known), "{found}");
    assert!(found.ends_with(" ago."), "{found}");
}

#[test]
fn what_is_too_long_or_no_text_by_now_has_sizes_too() {
    let limits = HistoryLimits {
        text_bytes: 10,
        ..HistoryLimits::default()
    };
    let bench = Bench::new("short\n", |secret| History::in_memory(secret, limits));
    let version = bench.read();
    for now in [b"longer than ten".as_slice(), b"\xff"] {
        bench.outside(now);
        let found = detail(bench.write("x", version.clone())).unwrap();
        let size = format!("6 bytes when it was seen, {} bytes now", now.len());
        assert!(found.contains(&size), "{found}");
    }
}

#[test]
fn a_file_that_is_gone_needs_no_explanation() {
    let bench = Bench::with_texts("one\n");
    let version = bench.read();
    fs::remove_file(bench.tree.path("ws/f")).unwrap();
    assert_eq!(detail(bench.write("x", version)), None);
}

/// A denial is not a place to learn what changed. Fails when the code is not looked at.
#[test]
fn only_stale_errors_are_explained() {
    let bench = Bench::with_texts("one\n");
    let version = bench.read();
    let error = bench.edit("none", "x", version).expect_err("no such text");
    assert_eq!((error.code, error.detail), (Code::EditNotFound, None));
}

/// Such a window has every line and not every byte. Fails when the comparison is taken out
/// of `keep_as`.
#[test]
fn a_window_that_begins_within_a_line_is_not_the_text() {
    let bench = Bench::with_texts("one\ntwo\n");
    let version = bench.read_part(2, 100);
    bench.outside(b"one\nTWO\n");
    let found = detail(bench.write("x", version));
    let expected = format!("{HEAD}\n  1: one\n- 2: two\n+ 2: TWO");
    assert_eq!(found.as_deref(), Some(expected.as_str()));
}

#[test]
fn whatever_the_spelling_the_bytes_are_kept() {
    for before in [
        "a\nb",
        "a\r\nb\r\n",
        "\u{feff}a\nb\n",
        "a\r\r\nb\r\n",
        "a\r\nb\n",
        "a\rb\n",
    ] {
        let bench = Bench::with_texts(before);
        let version = bench.read_part(1, 100);
        bench.outside(b"X\n");
        let found = detail(bench.write("x", version)).unwrap();
        let lines = before.split_inclusive('\n').count();
        let marked = before.contains('\u{feff}');
        assert_eq!(found.contains("\\u{feff}a"), marked, "{found}");
        assert_eq!(
            found.matches("\\r").count(),
            before.matches('\r').count(),
            "{found}"
        );
        assert_eq!(found.lines().count(), lines + 2, "{found}");
        assert_eq!(
            found.contains("(no newline)"),
            !before.ends_with('\n'),
            "{found}"
        );
    }
}

/// Fails when `Remembering` does not read what is to be removed: nobody has seen it here.
#[test]
fn a_removed_text_is_kept() {
    let tree = Tree::new("ws/\nkept/");
    fs::write(tree.path("ws/f"), "old\n").unwrap();
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    fs::set_permissions(tree.path("kept"), private).unwrap();
    let secret = VersionSecret::random().unwrap();
    let open = || {
        let limits = HistoryLimits::default();
        History::in_folder(secret.clone(), limits, &tree.path("kept")).unwrap()
    };
    let local = LocalFileSystem::new(secret.clone(), Default::default());
    let sandbox = SandboxedFileSystem::new(Arc::new(local), RootRules::workspace_only())
        .with_history(Arc::new(open()));
    let policy = tree.policy(Mode::WorkspaceWrite, "ws");
    let roots = sandbox.pin(&policy).unwrap();
    let files = sandbox.open(policy, roots, Guarding::Required, None);
    let target = files.resolve("f", None, &Cancel::new()).unwrap();
    let version = secret.version_of(b"old\n");
    files.remove(&target, &version, &Cancel::new()).unwrap();
    assert!(!fs::exists(tree.path("ws/f")).unwrap());
    // Another process finds it.
    assert_eq!(open().find(&version).as_deref(), Some(&b"old\n"[..]));
}

#[test]
fn a_stale_removal_says_what_changed() {
    let bench = Bench::with_texts("one\n");
    let version = bench.read();
    fs::write(bench.tree.path("ws/f"), "two\n").unwrap();
    let refused = bench
        .files
        .remove(&bench.target(), &version, &Cancel::new());
    let refused = refused.unwrap_err();
    assert_eq!(refused.code, Code::StaleVersion);
    let detail = refused.detail.expect("the text is kept");
    assert!(
        detail.contains("- 1: one") && detail.contains("+ 1: two"),
        "{detail}"
    );
}
