//! `--workspace`: a directory, or exit code 3.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::place::{Place, call};

#[test]
fn a_workspace_that_is_none_is_named_with_what_to_do() {
    let place = Place::new();
    fs::write(place.beside("file"), "").expect("a file");
    symlink("nowhere", place.beside("dangling")).expect("a link");
    symlink("loop", place.beside("loop")).expect("a link");
    for name in ["missing", "file", "dangling", "loop", "ws/../missing"] {
        for command in ["run", "policy"] {
            let ended = place.program([command, "--workspace", name]);
            assert!(
                ended.stderr.contains("\ndsh-fs: hint: "),
                "{}",
                ended.stderr
            );
            let why = ended.failed(3);
            assert!(why.starts_with(&format!("workspace {name}: ")), "{why}");
        }
    }
}

/// The link is followed once, at the start, and the keys are those of the directory.
#[test]
fn a_link_to_a_directory_is_that_directory() {
    let place = Place::with_file("one");
    symlink("ws", place.beside("link")).expect("a link");
    let calls = [
        call("read", json!({"file_path": "a.txt"})),
        call(
            "edit",
            json!({"file_path": place.file("a.txt"), "old_string": "one", "new_string": "1"}),
        ),
    ];
    let input = super::place::lines(&calls);
    let ended = super::program::finish(
        place.command(super::program::path()).args([
            "run",
            "--workspace",
            "link",
            "--no-temp-roots",
            "--mode",
            "workspace-write",
        ]),
        input.as_bytes(),
    );
    let answers = super::place::answers(&ended.done());
    assert!(
        answers.iter().all(|answer| answer["ok"] == true),
        "{answers:?}"
    );
    assert_eq!(place.content("a.txt"), "1");
}

#[test]
fn the_policy_tells_the_canonical_root() {
    let place = Place::new();
    symlink("ws", place.beside("link")).expect("a link");
    let args = [
        "policy",
        "--workspace",
        "link",
        "--mode",
        "workspace-write",
        "--no-temp-roots",
    ];
    let text = place.program(args.into_iter().chain(["--json"])).done();
    let policy: Value = serde_json::from_str(&text).expect("JSON");
    let root = place.workspace().canonicalize().expect("it is there");
    assert_eq!(policy["workspaceRoot"], json!(root));
    assert_eq!(policy["writableRoots"], json!([root]));
}

/// Where no state can be kept, versions are good for one run, which is said and no failure.
#[test]
fn a_state_folder_that_cannot_be_made_is_noted() {
    let place = Place::with_file("one");
    fs::write(place.beside("taken"), "").expect("a file");
    let mut command = place.command(super::program::path());
    command
        .args(["run", "--workspace", "ws"])
        .env("XDG_STATE_HOME", place.beside("taken"));
    let input = super::place::lines(&[call("read", json!({"file_path": "a.txt"}))]);
    let ended = super::program::finish(&mut command, input.as_bytes());
    assert!(
        ended.stderr.starts_with("dsh-fs: note: "),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.code, Some(0));
    assert_eq!(super::place::answers(&ended.stdout)[0]["ok"], true);
}
