//! The fence and the shell answer alike: over one list of paths, a file is written by
//! `SandboxedFileSystem` exactly when a confined shell can write it.

use std::path::{Path, PathBuf};

use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;
use dsh_fs_confine::{Shell, Used};

use crate::ground::{Ground, PATHS};
use crate::place::{Place, sh, shells, succeeded};

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

/// Roots where the view of a command is not that of the host by itself.
#[test]
fn a_root_may_lie_anywhere() {
    let shared = tempfile::tempdir_in("/dev/shm");
    for (used, shell) in shells("a_root_may_lie_anywhere") {
        let (ground, mode) = (Ground::new(), Mode::WorkspaceWrite);
        let cwd = ground.place.ws();
        let mut cases = vec![(Path::new("/").to_owned(), ground.path("$BASE/out/anywhere"))];
        match &shared {
            Ok(shared) => {
                let path = shared.path().join(used.name());
                cases.push((shared.path().to_owned(), path.display().to_string()));
            }
            Err(_) => println!("SKIPPED a_root_may_lie_anywhere: there is no /dev/shm"),
        }
        for (root, path) in cases {
            let rules = RootRules::workspace_only().with_root(&root);
            let (shelled, _) = ground.shell_writes(&shell, &rules, mode, &cwd, &path);
            assert!(shelled && Path::new(&path).exists(), "{used:?}: {path}");
            assert!(
                ground.fence_writes(rules, mode, &cwd, &path),
                "{used:?}: {path}"
            );
            let rules = RootRules::workspace_only();
            let (shelled, _) = ground.shell_writes(&shell, &rules, mode, &cwd, &path);
            assert!(!shelled, "{used:?}: {path}");
        }
    }
}

/// A root that the kernel makes is none for a command, and that is said.
#[test]
fn a_root_of_the_kernel_is_none() {
    for (used, shell) in shells("a_root_of_the_kernel_is_none") {
        let ground = Ground::new();
        let rules = RootRules::workspace_only()
            .with_root("/proc")
            .with_root("/dev");
        let (mode, cwd) = (Mode::WorkspaceWrite, ground.place.ws());
        let path = ground.path("/dev/$NAME");
        let (shelled, told) = ground.shell_writes(&shell, &rules, mode, &cwd, &path);
        assert!(!shelled && told.len() == 2, "{used:?}: {told:?}");
        let comm = "/proc/self/comm";
        assert!(
            !ground.shell_writes(&shell, &rules, mode, &cwd, comm).0,
            "{used:?}"
        );
        assert!(!ground.fence_writes(rules, mode, &cwd, comm), "{used:?}");
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
