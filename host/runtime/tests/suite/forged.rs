//! A component that names what is not its own: another session, a handle of it, a version
//! that it has made up, a key that no host gave it.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Limits, Session};
use serde_json::json;

use crate::forger::{DATA, Forger};
use crate::hostile::{DANGER, NO_GRANT, Scene, forger, open, run, write};

/// Where the name of another session lies.
const NAME: u32 = 5120;
const WIDE: &str = "wide";

/// Opens files under a mode in the name of another session, as `open` does in no name.
fn open_as_the_wide_one(mode: u32) -> String {
    format!(
        "(call $open (i32.const {mode}) (i32.const {DATA}) (global.get $root-length)
           (i32.const 1) (i32.const {NAME}) (i32.const {}) {NO_GRANT} (i32.const 512))
         (if (i32.load8_u (i32.const 512)) (then unreachable))
         (global.set $files (i32.load (i32.const 516)))",
        WIDE.len()
    )
}

fn start(scene: &Scene, forger: &Forger, id: &str, mode: Mode) -> Session {
    let mut options = scene.ws.options(mode);
    options.id = Some(id.into());
    let runtime = forger.runtime(Limits::default());
    runtime.session(options).expect("it starts")
}

/// The ceiling lies in the store: a name is a label. Fails without `check_mode` in
/// `imports/open.rs`.
#[test]
fn the_name_of_a_wider_session_opens_nothing() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let body = open_as_the_wide_one(DANGER) + &write(0) + "unreachable";
    let forger = forger(&scene.root, &target)
        .data(NAME, WIDE)
        .with("[method]session.write", body);
    let mut wide = start(&scene, &forger, WIDE, Mode::DangerFullAccess);
    let mut narrow = start(&scene, &forger, "narrow", Mode::ReadOnly);
    assert_eq!(run(&mut narrow), Some("COMPONENT_TRAPPED"));
    assert!(!fs::exists(&target).unwrap());
    assert!(scene.refused(&[
        "open-denied",
        "\"session\":\"narrow\"",
        "danger-full-access"
    ]));
    // The same component may, where it is the wide one that runs.
    run(&mut wide);
    assert_eq!(fs::read_to_string(target).unwrap(), "x");
}

/// What a session does in another one's name is written down as its own.
#[test]
fn nothing_is_written_down_under_the_name_of_another_session() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    let body = open_as_the_wide_one(1) + &write(0) + "unreachable";
    let forger = forger(&scene.root, &target)
        .data(NAME, WIDE)
        .with("[method]session.write", body);
    run(&mut start(&scene, &forger, "narrow", Mode::WorkspaceWrite));
    assert_eq!(fs::read_to_string(target).unwrap(), "x");
    assert!(scene.refused(&["published", "\"session\":\"narrow\""]));
    assert_eq!(scene.ws.audit.count(&["\"session\":\"wide\""]), 0);
}

/// Numbers of handles are looked up in the store of the session: that another one has a
/// handle of that number says nothing.
#[test]
fn a_handle_of_another_session_is_unknown() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    // `list` opens and keeps; `edit` writes through a number that was never given here;
    // `write` through the handle that is kept.
    let forger = forger(&scene.root, &target)
        .with(
            "[method]session.list",
            open(DANGER, NO_GRANT) + "(i32.store (i32.const 4128) (i32.const 0)) (i32.const 4096)",
        )
        .with(
            "[method]session.edit",
            String::from("(global.set $files (i32.const 1))") + &write(0) + "unreachable",
        )
        .with("[method]session.write", write(0) + "unreachable");
    let mut wide = start(&scene, &forger, WIDE, Mode::DangerFullAccess);
    let mut narrow = start(&scene, &forger, "narrow", Mode::ReadOnly);
    assert!(wide.call("list", &json!({})).ok);
    let edit = json!({"file_path": "a", "old_string": "x", "new_string": "y"});
    let answer = narrow.call("edit", &edit);
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"));
    assert!(answer.text.contains("unknown handle index"), "{answer:?}");
    assert!(!fs::exists(&target).unwrap());
    assert!(scene.refused(&["trapped", "\"session\":\"narrow\""]));
    run(&mut wide);
    assert_eq!(fs::read_to_string(target).unwrap(), "x");
}

/// Writes the `x` over a version that the component has made up.
fn write_over(version: &str) -> String {
    format!(
        "(call $files.write-text (global.get $files)
           (i32.const 2048) (global.get $target-length)
           (i32.const 2048) (global.get $target-length)
           (i32.const 3072) (i32.const 1)
           (i32.const 1) (i32.const {NAME}) (i32.const {})
           (i32.const 0) (i32.const 704)) unreachable",
        version.len()
    )
}

/// The guard names a version, and the file has another one.
#[test]
fn a_version_that_was_made_up_replaces_nothing() {
    for version in ["", "v1", "0000000000000000", "\\00", "*"] {
        let scene = Scene::new();
        let target = scene.ws.inside("a");
        fs::write(&target, "theirs").unwrap();
        let forger = forger(&scene.root, &target).data(NAME, version).with(
            "[method]session.write",
            open(1, NO_GRANT) + &write_over(version),
        );
        run(&mut start(&scene, &forger, "s1", Mode::WorkspaceWrite));
        assert_eq!(fs::read_to_string(target).unwrap(), "theirs", "{version}");
        let refused = [
            "\"event\":\"refused\"",
            "replace-if-version",
            "FS_STALE_VERSION",
        ];
        assert!(scene.refused(&refused), "{version}");
    }
}

/// A key is what `resolve` gave. One that a component has written itself leads nowhere
/// else than its path would, and never out of the roots.
#[test]
fn a_key_that_was_made_up_leads_nowhere() {
    let scene = Scene::new();
    let out = scene.ws.outside("");
    std::os::unix::fs::symlink(&out, scene.ws.inside("link")).unwrap();
    let root = scene.root.clone();
    let keys = [
        String::new(),
        "a".into(),
        "./a".into(),
        "../out/a".into(),
        "\\00".into(),
        "/".into(),
        format!("{root}/"),
        format!("{root}/../out/a"),
        format!("{root}/link/a"),
        format!("{root}/./a\\00b"),
        format!("/proc/self/root{out}a"),
        "/proc/self/cwd/a".into(),
        "/dev/null".into(),
        "-:%\\ef\\bf\\bd".into(),
    ];
    for key in &keys {
        let audit = scene.ws.audit.count(&["\"event\":\"refused\""]);
        let length = key
            .replace("\\00", "0")
            .replace("\\ef\\bf\\bd", "000")
            .len();
        let forger = forger(&root, &"0".repeat(length)).data(2048, key).with(
            "[method]session.write",
            open(1, NO_GRANT) + &write(0) + "unreachable",
        );
        run(&mut start(&scene, &forger, "s1", Mode::WorkspaceWrite));
        let refused = scene.ws.audit.count(&["\"event\":\"refused\""]) - audit;
        assert_eq!(refused, 1, "{key}");
    }
    assert_eq!(fs::read_dir(out).unwrap().count(), 0);
    let inside: Vec<_> = fs::read_dir(&root).unwrap().collect();
    assert_eq!(inside.len(), 1, "{inside:?}");
    assert!(!fs::exists("a").unwrap());
}
