//! A component that wants more than it may: the host says no, and writes it down.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Decision, Limits, ModeSource, Session};
use serde_json::json;

use crate::forger::{DATA, Forger};
use crate::workspace::{Person, Workspace};

const READ_ONLY: u32 = 0;
const WORKSPACE_WRITE: u32 = 1;
pub(crate) const DANGER: u32 = 2;

/// Opens files under a mode at the root; traps at `unreachable` where that is refused,
/// and leaves the handle in `$files` otherwise.
pub(crate) fn open(mode: u32, grant: &str) -> String {
    format!(
        "(call $open (i32.const {mode}) (i32.const {DATA}) (global.get $root-length)
           (i32.const 0) (i32.const 0) (i32.const 0) {grant} (i32.const 512))
         (if (i32.load8_u (i32.const 512)) (then unreachable))
         (global.set $files (i32.load (i32.const 516)))"
    )
}

pub(crate) const NO_GRANT: &str = "(i32.const 0) (i32.const 0) (i32.const 0)";

/// Writes an `x` to the second text with this guard (0 create, 2 unconditional), through
/// `$files`. The parameters go through memory: they are more than sixteen.
pub(crate) fn write(guard: u32) -> String {
    format!("(call $write-x (i32.const {guard}))")
}

/// A component over two texts: the root and a target.
pub(crate) fn forger(root: &str, target: &str) -> Forger {
    let globals = format!(
        "(global $root-length i32 (i32.const {}))
         (global $target-length i32 (i32.const {}))
         (global $files (mut i32) (i32.const 0))
         (func $write-x (param $guard i32)
           (call $files.write-text (global.get $files)
             (i32.const 2048) (global.get $target-length)
             (i32.const 2048) (global.get $target-length)
             (i32.const 3072) (i32.const 1)
             (local.get $guard) (i32.const 0) (i32.const 0)
             (i32.const 0) (i32.const 704)))",
        root.len(),
        target.len()
    );
    Forger::new()
        .extra(&globals)
        .data(DATA, root)
        .data(2048, target)
        .data(3072, "x")
}

/// A workspace and the spelling of its root.
pub(crate) struct Scene {
    pub(crate) ws: Workspace,
    pub(crate) root: String,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let ws = Workspace::new();
        let root = ws.inside("").trim_end_matches('/').to_owned();
        Self { ws, root }
    }

    /// A session whose `write` has this body.
    fn session(&self, target: &str, body: String, mode: Mode) -> Session {
        let forger = forger(&self.root, target).with("[method]session.write", body);
        let mut options = self.ws.options(mode);
        options.approver = Some(Person::who(Decision::AllowedOnce));
        let runtime = forger.runtime(Limits::default());
        runtime.session(options).expect("it starts")
    }

    /// Whether exactly one event holds these words.
    pub(crate) fn refused(&self, words: &[&str]) -> bool {
        self.ws.audit.count(words) == 1
    }
}

pub(crate) fn run(session: &mut Session) -> Option<&'static str> {
    let args = json!({"file_path": "a", "content": "x"});
    session.call("write", &args).code
}

/// Fails without `check_mode` in `imports/open.rs`.
#[test]
fn a_wider_mode_is_not_opened() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let body = open(DANGER, NO_GRANT) + &write(0) + "unreachable";
    let mut session = scene.session(&target, body, Mode::WorkspaceWrite);
    assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
    assert!(!fs::exists(target).unwrap());
    assert!(scene.refused(&["open-denied", "danger-full-access"]));
}

/// Fails without `check_root` in `imports/open.rs`.
#[test]
fn another_root_is_not_opened() {
    let scene = Scene::new();
    let elsewhere = scene.ws.outside("").trim_end_matches('/').to_owned();
    let target = scene.ws.outside("a");
    let body = open(WORKSPACE_WRITE, NO_GRANT) + &write(0) + "unreachable";
    let forger = forger(&elsewhere, &target).with("[method]session.write", body);
    let runtime = forger.runtime(Limits::default());
    let options = scene.ws.options(Mode::WorkspaceWrite);
    let mut session = runtime.session(options).unwrap();
    assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
    assert!(!fs::exists(target).unwrap());
    assert!(scene.refused(&["open-denied", "workspace root"]));
}

#[test]
fn a_forged_key_outside_the_roots_is_refused() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let body = open(WORKSPACE_WRITE, NO_GRANT) + &write(0) + "unreachable";
    let mut session = scene.session(&target, body, Mode::WorkspaceWrite);
    run(&mut session);
    assert!(!fs::exists(target).unwrap());
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_SANDBOX_DENIED"]));
}

/// The inverse: the same component may write inside, so that it is the fence which refuses.
#[test]
fn the_same_component_may_write_inside() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    let body = open(WORKSPACE_WRITE, NO_GRANT) + &write(0) + "unreachable";
    let mut session = scene.session(&target, body, Mode::WorkspaceWrite);
    run(&mut session);
    assert_eq!(fs::read_to_string(target).unwrap(), "x");
}

#[test]
fn a_mutation_without_a_guard_is_refused() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    fs::write(&target, "theirs").unwrap();
    let body = open(WORKSPACE_WRITE, NO_GRANT) + &write(2) + "unreachable";
    let mut session = scene.session(&target, body, Mode::WorkspaceWrite);
    run(&mut session);
    assert_eq!(fs::read_to_string(target).unwrap(), "theirs");
    assert!(scene.refused(&["\"guard\":\"unconditional\"", "FS_NOT_OBSERVED"]));
}

/// Fails without the `None` arm of `check_still_allowed` in `imports/mutation.rs`.
#[test]
fn a_kept_handle_does_not_outlive_a_narrower_mode() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    // The first call opens and keeps the handle; the second one, under a narrower mode,
    // writes. `list` answers an empty directory.
    let listing = open(WORKSPACE_WRITE, NO_GRANT) + "(i32.const 4096)";
    let forger = forger(&scene.root, &target)
        .with("[method]session.list", listing)
        .with("[method]session.mode-changed", "")
        .with("[method]session.write", write(0) + "unreachable");
    let runtime = forger.runtime(Limits::default());
    let mut session = runtime
        .session(scene.ws.options(Mode::WorkspaceWrite))
        .unwrap();
    assert!(session.call("list", &json!({})).ok);
    session.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    run(&mut session);
    assert!(!fs::exists(target).unwrap());
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_SANDBOX_DENIED"]));
}

/// Asks for `danger-full-access` about the target, as the tool `write`; the grant lies at
/// 644 (address) and 648 (length) afterwards.
pub(crate) const ASK: &str = "(call $ask (i32.const 3080) (i32.const 5)
     (i32.const 2048) (global.get $target-length) (i32.const 2) (i32.const 0) (i32.const 0)
     (i32.const 640))
   (if (i32.load8_u (i32.const 640)) (then unreachable))";
pub(crate) const GRANTED: &str =
    "(i32.const 1) (i32.load (i32.const 644)) (i32.load (i32.const 648))";

fn asking(scene: &Scene, target: &str, body: String, asked_tool: &str) -> Session {
    let forger = forger(&scene.root, target)
        .data(3080, asked_tool)
        .with("[method]session.write", body);
    let mut options = scene.ws.options(Mode::ReadOnly);
    options.approver = Some(Person::who(Decision::AllowedOnce));
    let runtime = forger.runtime(Limits::default());
    runtime.session(options).expect("it starts")
}

/// Fails if `Grants::take` in `grants.rs` leaves the grant where it is.
#[test]
fn a_grant_opens_once() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let body = String::from(ASK)
        + &open(DANGER, GRANTED)
        + &write(0)
        + &open(DANGER, GRANTED)
        + "(loop $for-ever (br $for-ever)) unreachable";
    let mut session = asking(&scene, &target, body, "write");
    run(&mut session);
    assert_eq!(fs::read_to_string(target).unwrap(), "x");
    assert!(scene.refused(&["grant-refused", "unknown, or used"]));
    assert!(scene.refused(&["\"event\":\"trapped\"", "unreachable"]));
}

/// Fails without the comparison of serial numbers in `imports/mutation.rs`.
#[test]
fn a_granted_handle_ends_with_its_call() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    // The first call asks and opens; it answers an empty failure. The second one writes.
    let body = format!(
        "(if (global.get $files) (then {} unreachable))
         {ASK} {} (i32.store8 (i32.const 8192) (i32.const 1))
         (i32.store8 (i32.const 8196) (i32.const 1)) (i32.const 8192)",
        write(0),
        open(DANGER, GRANTED),
    );
    let mut session = asking(&scene, &target, body, "write");
    assert_eq!(run(&mut session), Some("INVALID_ARGUMENTS"));
    run(&mut session);
    assert!(!fs::exists(target).unwrap());
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_SANDBOX_DENIED"]));
}

/// Fails without `grants.clear()` in `state.rs`.
#[test]
fn a_grant_that_was_kept_is_refused_in_the_next_call() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    // The first call only asks, and answers an empty failure. The second one opens.
    let body = format!(
        "(if (i32.load (i32.const 644)) (then {} {} unreachable))
         {ASK} (i32.store8 (i32.const 8192) (i32.const 1))
         (i32.store8 (i32.const 8196) (i32.const 1)) (i32.const 8192)",
        open(DANGER, GRANTED),
        write(0),
    );
    let mut session = asking(&scene, &target, body, "write");
    assert_eq!(run(&mut session), Some("INVALID_ARGUMENTS"));
    run(&mut session);
    assert!(!fs::exists(target).unwrap());
    assert!(scene.refused(&["grant-refused", "unknown, or used"]));
}

#[test]
fn a_grant_for_one_file_does_not_open_another() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let other = scene.ws.outside("b");
    // The target is written over with a name of the same length before it is used.
    let body = String::from(ASK)
        + &open(DANGER, GRANTED)
        + &format!(
            "(i32.store8 (i32.const {}) (i32.const 98))",
            2048 + target.len() - 1
        )
        + &write(0)
        + "unreachable";
    let mut session = asking(&scene, &target, body, "write");
    run(&mut session);
    assert!(!fs::exists(target).unwrap() && !fs::exists(other).unwrap());
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_SANDBOX_DENIED"]));
}

/// Fails without the comparison of tools in `imports/approval.rs`.
#[test]
fn a_question_about_another_tool_or_an_alias_is_not_put() {
    let scene = Scene::new();
    std::os::unix::fs::symlink(scene.ws.outside("a"), scene.ws.inside("link")).unwrap();
    for (target, tool, reason) in [
        (scene.ws.outside("a"), "lists", "not the one that runs"),
        (scene.ws.inside("link"), "write", "not canonical"),
    ] {
        let mut session = asking(&scene, &target, String::from(ASK) + "unreachable", tool);
        run(&mut session);
        assert!(scene.refused(&["question-refused", reason]), "{tool}");
    }
    assert_eq!(scene.ws.audit.count(&["\"event\":\"asked\""]), 0);
}

#[test]
fn a_handle_that_was_never_given_ends_the_session() {
    let scene = Scene::new();
    let body = String::from("(global.set $files (i32.const 77))") + &write(0) + "unreachable";
    let mut session = scene.session(&scene.ws.inside("a"), body, Mode::WorkspaceWrite);
    assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
    assert!(!fs::exists(scene.ws.inside("a")).unwrap());
}

#[test]
fn a_read_only_session_writes_nothing_whatever_is_opened() {
    let scene = Scene::new();
    let body = open(READ_ONLY, NO_GRANT) + &write(0) + "unreachable";
    let mut session = scene.session(&scene.ws.inside("a"), body, Mode::ReadOnly);
    run(&mut session);
    assert!(!fs::exists(scene.ws.inside("a")).unwrap());
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_SANDBOX_DENIED"]));
}

#[test]
fn a_component_that_breaks_inside_an_import_ends_its_session() {
    let scene = Scene::new();
    let body = open(WORKSPACE_WRITE, NO_GRANT)
        + "(global.set $armed (i32.const 1))
           (call $files.resolve (global.get $files) (i32.const 2048) (global.get $target-length)
             (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 704))
           (loop $for-ever (br $for-ever)) unreachable";
    let mut session = scene.session(&scene.ws.inside("a"), body, Mode::WorkspaceWrite);
    assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
    assert!(scene.refused(&["\"event\":\"trapped\"", "unreachable"]));
    assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
}

/// A component that says it took a creation back, and did not: its session ends. Fails when
/// its word is taken for it.
#[test]
fn a_removal_that_was_not_made_is_not_reported() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    // Every call answers an empty success; only the first one writes.
    let body = format!(
        "(if (i32.eqz (global.get $files)) (then {} {})) (i32.const 8192)",
        open(WORKSPACE_WRITE, NO_GRANT),
        write(0),
    );
    let mut session = scene.session(&target, body, Mode::WorkspaceWrite);
    assert_eq!(run(&mut session), None);
    assert_eq!(
        session.call("undo", &json!({})).code,
        Some("COMPONENT_TRAPPED")
    );
    assert_eq!(fs::read_to_string(target).unwrap(), "x");
}

/// Whatever the component writes while a creation is taken back, the guard is the host's.
/// Fails when the removal is made without looking at the version.
#[test]
fn a_component_cannot_have_later_work_removed() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    let body = open(WORKSPACE_WRITE, NO_GRANT)
        + &write(0)
        + "(i32.store8 (i32.const 8192) (i32.load8_u (i32.const 704)))
           (i32.store8 (i32.const 8196) (i32.const 1)) (i32.const 8192)";
    let mut session = scene.session(&target, body, Mode::WorkspaceWrite);
    run(&mut session);
    fs::write(&target, "later").unwrap();
    session.call("undo", &json!({}));
    assert_eq!(fs::read_to_string(&target).unwrap(), "later");
    assert!(scene.refused(&[
        "\"event\":\"refused\"",
        "FS_STALE_VERSION",
        "\"tool\":\"undo\""
    ]));
}

/// Fails without `check_still_allowed` in `imports/removal.rs`.
#[test]
fn a_kept_handle_removes_nothing_under_a_narrower_mode() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    let body = format!(
        "(if (i32.eqz (global.get $files)) (then {}))
         {} (i32.store8 (i32.const 8192) (i32.const 1))
         (i32.store8 (i32.const 8196) (i32.const 1)) (i32.const 8192)",
        open(WORKSPACE_WRITE, NO_GRANT),
        write(0),
    );
    let forger = forger(&scene.root, &target)
        .with("[method]session.mode-changed", "")
        .with("[method]session.write", body);
    let runtime = forger.runtime(Limits::default());
    let mut session = runtime
        .session(scene.ws.options(Mode::WorkspaceWrite))
        .unwrap();
    run(&mut session);
    session.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    session.call("undo", &json!({}));
    assert!(fs::exists(target).unwrap());
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_SANDBOX_DENIED"]));
}

/// Nothing would take the new file back. Fails when `Part::write` lets every write through.
#[test]
fn nothing_is_slipped_in_among_several_edits() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    let body = open(WORKSPACE_WRITE, NO_GRANT) + &write(0) + "unreachable";
    let forger = forger(&scene.root, &target).with("[method]session.edit", body);
    let runtime = forger.runtime(Limits::default());
    let edit = json!({"file_path": "a", "old_string": "x", "new_string": "y"});
    let edits = json!({"edits": [edit]});
    for (tool, args, there) in [("multi_edit", edits, false), ("edit", edit, true)] {
        let options = scene.ws.options(Mode::WorkspaceWrite);
        let mut session = runtime.session(options).unwrap();
        let code = session.call(tool, &args).code;
        assert_eq!(code, Some("COMPONENT_TRAPPED"));
        assert_eq!(fs::exists(&target).unwrap(), there, "{tool}");
    }
}
