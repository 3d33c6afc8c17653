//! What only an ordinary user meets: permissions. Root starts the program as `nobody`.

use std::fs::{self, File, Permissions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::place::{answers, call, code, lines};
use super::program::{self, Ended};

/// The user and the group nobody.
const NOBODY: u32 = 65_534;

fn change(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

/// Runs the program as an ordinary user in a folder that everybody may reach.
fn run(folder: &Path, args: &[&str], input: &str) -> Ended {
    let root = dsh_fs_tests::unprivileged::is_root();
    // The program is opened here and run through the descriptor, because the folder that
    // it is in may be closed to other users.
    let file = File::open(program::path()).expect("it was built");
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).expect("it is open");
    let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    command
        .args(args)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"));
    if root {
        command.uid(NOBODY).gid(NOBODY);
    }
    program::finish(&mut command, input.as_bytes())
}

/// A folder for everybody, with a workspace and a state folder of the ordinary user.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    change(folder.path(), 0o755);
    let workspace = folder.path().join("ws");
    let state = folder.path().join("state");
    fs::create_dir(&workspace).expect("a directory");
    fs::create_dir(&state).expect("a directory");
    fs::write(workspace.join("a.txt"), "one").expect("a file");
    if dsh_fs_tests::unprivileged::is_root() {
        for path in [&workspace, &workspace.join("a.txt"), &state] {
            std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
        }
    }
    folder
}

#[test]
fn a_workspace_that_cannot_be_read_ends_with_3() {
    let folder = folder();
    change(&folder.path().join("ws"), 0o000);
    for name in ["ws", "ws/inner"] {
        let why = run(folder.path(), &["run", "--workspace", name], "").failed(3);
        assert!(why.starts_with(&format!("workspace {name}: ")), "{why}");
    }
    change(&folder.path().join("ws"), 0o755);
}

#[test]
fn a_read_only_workspace_can_be_read_and_is_not_changed() {
    let folder = folder();
    let workspace = folder.path().join("ws");
    change(&workspace, 0o555);
    let calls = lines(&[
        call("read", json!({"file_path": "a.txt"})),
        call(
            "edit",
            json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"}),
        ),
        call("write", json!({"file_path": "new", "content": "x"})),
        call("write", json!({"file_path": "deep/er/new", "content": "x"})),
        call("read", json!({"file_path": "a.txt"})),
    ]);
    let args = ["run", "--workspace", "ws", "--mode", "workspace-write"];
    let answers = answers(&run(folder.path(), &args, &calls).done());
    let denied = "FS_PERMISSION_DENIED";
    let codes: Vec<_> = answers.iter().map(code).collect();
    assert_eq!(codes, ["ok", denied, denied, denied, "ok"]);
    assert_eq!(
        fs::read_to_string(workspace.join("a.txt")).expect("a file"),
        "one"
    );
    assert_eq!(fs::read_dir(&workspace).expect("a directory").count(), 1);
    change(&workspace, 0o755);
}

#[test]
fn a_file_that_cannot_be_read_is_refused_and_kept() {
    let folder = folder();
    let file = folder.path().join("ws/a.txt");
    change(&file, 0o000);
    let calls = lines(&[
        call("read", json!({"file_path": "a.txt"})),
        call("write", json!({"file_path": "a.txt", "content": "x"})),
        call("list", json!({"file_path": "."})),
    ]);
    let args = ["run", "--workspace", "ws", "--mode", "workspace-write"];
    let answers = answers(&run(folder.path(), &args, &calls).done());
    assert_eq!(code(&answers[0]), "FS_PERMISSION_DENIED");
    assert_eq!(answers[1]["ok"], false);
    assert_eq!(code(&answers[2]), "ok");
    change(&file, 0o644);
    assert_eq!(fs::read_to_string(&file).expect("a file"), "one");
}
