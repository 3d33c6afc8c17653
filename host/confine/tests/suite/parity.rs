//! The fence and the shell answer alike: over one list of paths, a file is written by
//! `SandboxedFileSystem` exactly when a confined shell can write it.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::local::LocalFileSystem;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::types::{Mode, Report, WriteGuard};
use dsh_fs::version::VersionSecret;
use dsh_fs_confine::{RunOptions, Shell, Used};

use crate::place::{Place, environment, sh, shells, succeeded};

/// Every path, relative to the workspace. `$NAME` is a name that nobody else uses.
const PATHS: [&str; 44] = [
    "file",
    "new",
    "dir/new",
    "deep/er/new/er/x",
    "a name with 'quotes' and\nlines",
    "../ws/x",
    "dir/../x",
    "$BASE/ws/./x",
    "../out/x",
    "$BASE/out/f",
    "$BASE/x",
    "../wsx/x",
    "link-in/x",
    "abs-in/x",
    "link-out/x",
    "link-out/../x",
    "link-in/../x",
    "file-in",
    "file-out",
    "dangling-in",
    "dangling-out",
    "loop",
    "loop/x",
    "file/x",
    "dir",
    ".",
    "$BASE/out/back/x",
    "$BASE/extra/x",
    "$BASE/extra/locked/x",
    "$BASE/extra/locked",
    "$BASE/extra/.git/hooks/x",
    ".git/hooks/x",
    ".git/hooks/post",
    ".git/config",
    ".git/new",
    "to-hooks/x",
    "/tmp/$NAME",
    "/tmp/$NAME-dir/x",
    "$BASE/temporary/x",
    "$BASE/home/x",
    "/var/tmp/$NAME",
    "/etc/$NAME",
    "/usr/$NAME",
    "/dev/shm/$NAME",
];

/// A tree with links in every direction, and its rules.
struct Ground {
    place: Place,
}

impl Ground {
    fn new() -> Self {
        let place = Place::new();
        let base = place.base();
        for folder in [
            "ws/dir",
            "ws/deep/er",
            "ws/.git/hooks",
            "wsx",
            "extra/locked",
            "extra/.git/hooks",
            "home",
            "temporary",
        ] {
            std::fs::create_dir_all(base.join(folder)).expect("a folder");
        }
        for file in ["ws/file", "ws/.git/config", "ws/.git/hooks/post", "out/f"] {
            std::fs::write(base.join(file), "old").expect("a file");
        }
        let absolute = base.join("ws/dir");
        let links = [
            ("ws/link-in", Path::new("dir")),
            ("ws/abs-in", absolute.as_path()),
            ("ws/link-out", Path::new("../out")),
            ("ws/file-in", Path::new("file")),
            ("ws/file-out", Path::new("../out/f")),
            ("ws/dangling-in", Path::new("dir/made")),
            ("ws/dangling-out", Path::new("../out/made")),
            ("ws/loop", Path::new("loop")),
            ("ws/to-hooks", Path::new(".git/hooks")),
            ("out/back", Path::new("../ws/dir")),
        ];
        for (link, target) in links {
            symlink(target, base.join(link)).expect("a link");
        }
        Self { place }
    }

    fn rules(&self, temporary: bool) -> RootRules {
        let base = self.place.base();
        let rules = if temporary {
            RootRules::new(Some(&base.join("temporary")))
        } else {
            RootRules::workspace_only()
        };
        rules
            .with_root(base.join("extra"))
            .with_protected(".git/hooks")
            .with_protected(base.join("extra/locked"))
    }

    fn path(&self, path: &str) -> String {
        let base = self.place.base();
        let name = base.file_name().expect("a name").to_string_lossy();
        let base = base.to_str().expect("UTF-8");
        path.replace("$BASE", base).replace("$NAME", &name)
    }

    fn fence_writes(&self, rules: RootRules, mode: Mode, cwd: &Path, path: &str) -> bool {
        let secret = VersionSecret::random().expect("random bytes");
        let local = Arc::new(LocalFileSystem::new(secret, Default::default()));
        let files = SandboxedFileSystem::new(local, rules);
        let policy = self.place.policy(mode);
        let roots = files.pin(&policy).expect("roots");
        let files = files.open(policy, roots, Guarding::Bare, None);
        let cancel = Cancel::new();
        let Ok(target) = files.resolve(path, cwd.to_str(), &cancel) else {
            return false;
        };
        let guard = WriteGuard::Unconditional;
        files
            .write_text(&target, "x", &guard, Report::default(), &cancel)
            .is_ok()
    }

    /// Whether a shell writes it, and what its answer says it does not keep.
    fn shell_writes(
        &self,
        shell: &Shell,
        rules: &RootRules,
        mode: Mode,
        cwd: &Path,
        path: &str,
    ) -> (bool, Vec<String>) {
        let script = "mkdir -p -- \"$(dirname -- \"$0\")\" && printf x > \"$0\"";
        let mut argv = sh(script);
        argv.push(path.into());
        let policy = self.place.policy(mode);
        let roots = rules.derive(&policy).expect("roots");
        let confined = shell.confine(&argv, &policy, &roots).expect("a backend");
        let options = RunOptions::new(cwd, environment());
        let finished = shell.run(&confined, &options).expect("a run");
        let told = confined.enforcement.gaps().to_vec();
        (succeeded(&finished), told)
    }

    /// Removes what a write may have left outside the tree.
    fn clean(&self) {
        for place in ["/tmp", "/var/tmp", "/etc", "/usr", "/dev/shm"] {
            let name = self.path("$NAME");
            // What is not there need not be removed.
            let _ = std::fs::remove_dir_all(format!("{place}/{name}-dir"));
            if place != "/var/tmp" {
                let _ = std::fs::remove_file(format!("{place}/{name}"));
            }
        }
    }
}

/// Where the two answers differ, the backend has said so of this very path.
fn compare(used: Used, shell: &Shell, temporary: bool, mode: Mode, cwd: &str, path: &str) {
    let before = Ground::new();
    let cwd_of = |ground: &Ground| PathBuf::from(ground.path(cwd));
    let path_of = |ground: &Ground| {
        // The name of the folder itself is taken in /var/tmp.
        ground.path(&path.replace("/var/tmp/$NAME", "/var/tmp/$NAME-file"))
    };
    let rules = before.rules(temporary);
    let fence = before.fence_writes(rules, mode, &cwd_of(&before), &path_of(&before));
    let after = Ground::new();
    let rules = after.rules(temporary);
    let place = cwd_of(&after).join(path_of(&after));
    let (shelled, told) =
        after.shell_writes(shell, &rules, mode, &cwd_of(&after), &path_of(&after));
    let what = format!("{used:?}, {mode:?}, temporary {temporary}, {path:?} from {cwd:?}");
    if shelled {
        // A write that succeeds is one that the host sees.
        let content = std::fs::read(&place).unwrap_or_default();
        assert_eq!(content, b"x", "{what}");
    }
    let protected = ["locked", "hooks"].iter().find(|name| path.contains(*name));
    let unkept = protected.is_some_and(|name| told.iter().any(|gap| gap.contains(name)));
    if unkept && used == Used::Landlock {
        assert!(!fence, "{what}: a protected path");
    } else {
        assert_eq!(fence, shelled, "{what}: the fence, the shell");
    }
    before.clean();
    after.clean();
}

fn compare_all(temporary: bool, mode: Mode, cwd: &str) {
    for (used, shell) in shells("the_fence_and_the_shell_answer_alike") {
        for path in PATHS {
            compare(used, &shell, temporary, mode, cwd, path);
        }
    }
}

/// Fails where `Profile::new` takes its roots from anywhere but the fence's, where
/// bubblewrap mounts a root too many or too few, and without `--remount-ro /dev`.
#[test]
fn over_one_list_of_paths() {
    compare_all(true, Mode::WorkspaceWrite, "$BASE/ws");
}

#[test]
fn with_the_temporary_folders_off() {
    compare_all(false, Mode::WorkspaceWrite, "$BASE/ws");
}

/// `/tmp` is no exception: nothing at all is writable.
#[test]
fn in_read_only() {
    compare_all(true, Mode::ReadOnly, "$BASE/ws");
}

/// From a directory beside the workspace, which the shell may start in and not write to.
#[test]
fn from_a_directory_outside() {
    for (used, shell) in shells("from_a_directory_outside") {
        for path in ["x", "../ws/x", "back/x", "f", "../extra/x", "../home/x"] {
            compare(used, &shell, true, Mode::WorkspaceWrite, "$BASE/out", path);
        }
    }
}

/// A root that does not exist contains nothing, and none is made for it.
#[test]
fn a_missing_root_contains_nothing() {
    for (used, shell) in shells("a_missing_root_contains_nothing") {
        let ground = Ground::new();
        let missing = ground.place.base().join("missing");
        let rules = RootRules::workspace_only().with_root(&missing);
        let path = missing.join("x");
        let path = path.to_str().expect("UTF-8");
        let cwd = ground.place.ws();
        let mode = Mode::WorkspaceWrite;
        assert!(!ground.fence_writes(rules.clone(), mode, &cwd, path));
        let (shelled, _) = ground.shell_writes(&shell, &rules, mode, &cwd, path);
        assert!(!shelled, "{used:?}");
        assert!(!missing.exists(), "{used:?}");
    }
}

/// A workspace that somebody replaced is refused by both.
#[test]
fn a_replaced_workspace_is_refused() {
    for (used, shell) in shells("a_replaced_workspace_is_refused") {
        let ground = Ground::new();
        let (policy, base) = (
            ground.place.policy(Mode::WorkspaceWrite),
            ground.place.base(),
        );
        let roots = ground.rules(true).derive(&policy).expect("roots");
        std::fs::rename(base.join("ws"), base.join("was")).expect("a rename");
        std::fs::create_dir(base.join("ws")).expect("a folder");
        let refused = shell.confine(&sh(":"), &policy, &roots);
        let refused = refused.expect_err("another directory");
        assert!(
            refused.to_string().contains("another directory"),
            "{used:?}: {refused}"
        );
    }
}

/// Full access runs the command as it is.
#[test]
fn full_access_is_the_commands_own_argv() {
    for (_, shell) in shells("full_access_is_the_commands_own_argv") {
        let place = Place::new();
        let mode = Mode::DangerFullAccess;
        let confined = place.confined(&shell, mode, &RootRules::new(None), "printf x > ../out/x");
        assert_eq!(confined.argv, sh("printf x > ../out/x"));
        assert_eq!(confined.enforcement.name(), "none");
        assert!(succeeded(&place.run(&shell, &confined)));
        assert!(place.out().join("x").exists());
    }
}
