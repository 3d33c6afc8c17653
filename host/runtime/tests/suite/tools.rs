//! The four tools, through JSON and through types.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{
    CallCode, FailureCode, Limits, ModeSource, ReadArgs, Runtime, RuntimeOptions,
};
use serde_json::json;

use crate::workspace::{SHIPPED, Workspace};

#[test]
fn a_file_is_created_read_and_edited() {
    let ws = Workspace::new();
    let mut session = ws.session(Mode::WorkspaceWrite);
    let made = session.call(
        "write",
        &json!({"file_path": "a/b", "content": "one\ntwo\n"}),
    );
    assert!(made.ok, "{made:?}");
    let value = made.value.expect("facts");
    assert_eq!(value["operation"], "create");
    assert_eq!(value["path"], ws.inside("a/b"));
    assert_eq!(value["previousVersion"], json!(null));

    let edit = json!({"file_path": "a/b", "old_string": "two", "new_string": "three"});
    let edited = session.call("edit", &edit);
    assert!(edited.ok, "{edited:?}");
    assert_eq!(
        fs::read_to_string(ws.inside("a/b")).unwrap(),
        "one\nthree\n"
    );

    let read = session.call("read", &json!({"file_path": "a/b", "surprise": 1}));
    let value = read.value.expect("facts");
    assert_eq!(value["lines"][1], json!({"number": 2, "text": "three"}));
    assert_eq!(value["totalLines"], 2);
    assert_eq!(value["lineEndings"], "lf");

    let list = session.call("list", &json!({"file_path": "a"}));
    let value = list.value.expect("facts");
    assert_eq!(value["entries"][0]["name"], "b");
    assert_eq!(value["totalEntries"], 1);
    assert_eq!(
        ws.audit
            .count(&["\"event\":\"published\"", "\"tool\":\"edit\""]),
        1
    );
}

#[test]
fn an_unseen_file_is_not_replaced() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "theirs").unwrap();
    let mut session = ws.session(Mode::WorkspaceWrite);
    let answer = session.call("write", &json!({"file_path": "a", "content": "mine"}));
    assert_eq!(answer.code, Some("FS_NOT_OBSERVED"));
    assert_eq!(fs::read_to_string(ws.inside("a")).unwrap(), "theirs");
}

#[test]
fn the_shape_of_arguments_is_checked_in_words_of_the_protocol() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "x").unwrap();
    let mut session = ws.session(Mode::ReadOnly);
    let cases = [
        (
            "read",
            json!({}),
            "invalid arguments: missing required property \"file_path\"",
        ),
        (
            "read",
            json!({"file_path": 5}),
            "invalid arguments: \"file_path\" must be a string",
        ),
        (
            "read",
            json!({"file_path": "a", "offset": "2"}),
            "invalid arguments: \"offset\" must be a number",
        ),
        (
            "read",
            json!({"file_path": "a", "offset": null}),
            "invalid arguments: \"offset\" must be a number",
        ),
        (
            "read",
            json!({"file_path": "a", "offset": 1.5}),
            "offset must be a positive integer",
        ),
        (
            "read",
            json!({"file_path": "a", "limit": 2001}),
            "limit must be less than or equal to 2000",
        ),
        (
            "read",
            json!({"file_path": " ", "offset": 1.5}),
            "file_path must be a non-empty string",
        ),
        (
            "edit",
            json!({"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": "yes"}),
            "invalid arguments: \"replace_all\" must be a boolean",
        ),
        (
            "edit",
            json!({"file_path": "a", "old_string": "x"}),
            "invalid arguments: missing required property \"new_string\"",
        ),
        ("read", json!([]), "invalid arguments: expected an object"),
        ("rm", json!({}), "unknown tool \"rm\""),
    ];
    for (tool, args, message) in cases {
        let answer = session.call(tool, &args);
        assert_eq!(answer.text, format!("Error: {message}"), "{tool} {args}");
        assert_eq!(answer.code, Some("INVALID_ARGUMENTS"), "{tool} {args}");
    }
    let whole = session.call("read", &json!({"file_path": "a", "offset": 1.0}));
    assert!(whole.ok, "{whole:?}");
}

#[test]
fn a_person_moves_the_mode_of_a_session() {
    let ws = Workspace::new();
    let mut session = ws.session(Mode::ReadOnly);
    let write = json!({"file_path": "a", "content": "x"});
    assert_eq!(
        session.call("write", &write).code,
        Some("FS_SANDBOX_DENIED")
    );
    assert!(session.writable_roots().is_empty());

    session
        .set_mode(Mode::WorkspaceWrite, ModeSource::User)
        .unwrap();
    assert_eq!(session.policy().unwrap().mode, Mode::WorkspaceWrite);
    assert_eq!(
        session.writable_roots(),
        [ws.inside("").trim_end_matches('/')]
    );
    assert!(session.policy_text().unwrap().contains("workspace-write"));
    assert!(session.call("write", &write).ok);

    session.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    let again = json!({"file_path": "b", "content": "x"});
    assert_eq!(
        session.call("write", &again).code,
        Some("FS_SANDBOX_DENIED")
    );
}

#[test]
fn observations_survive_in_a_snapshot_and_in_a_fork() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "x").unwrap();
    let mut first = ws.session(Mode::WorkspaceWrite);
    assert!(first.call("read", &json!({"file_path": "a"})).ok);
    let pages = first.snapshot().unwrap();

    let mut second = ws.session(Mode::WorkspaceWrite);
    second.restore(&pages).unwrap();
    assert!(
        second
            .call("write", &json!({"file_path": "a", "content": "y"}))
            .ok
    );

    let mut child = second.fork(Some("child".into())).unwrap();
    assert!(
        child
            .call("write", &json!({"file_path": "a", "content": "z"}))
            .ok
    );
    let refused = second.restore(&["no page".into()]).unwrap_err();
    assert_eq!(refused.code, FailureCode::Call(CallCode::InvalidArguments));
}

#[test]
fn a_fork_has_the_mode_of_now_and_not_of_the_start() {
    let ws = Workspace::new();
    let mut parent = ws.session(Mode::WorkspaceWrite);
    parent.set_mode(Mode::ReadOnly, ModeSource::User).unwrap();
    let mut child = parent.fork(Some("child".into())).unwrap();
    let answer = child.call("write", &json!({"file_path": "a", "content": "x"}));
    assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"));
}

#[test]
fn a_workspace_must_be_there() {
    let ws = Workspace::new();
    fs::write(ws.inside("file"), "x").unwrap();
    for (name, code) in [("none", "FS_NOT_FOUND"), ("file", "FS_NOT_DIRECTORY")] {
        let mut options = ws.options(Mode::ReadOnly);
        options.cwd = Some(ws.inside(name));
        let error = SHIPPED.session(options).err().expect("refused");
        assert_eq!(error.code.name(), code, "{error}");
    }
}

#[test]
fn a_root_that_is_another_directory_later_is_denied() {
    let ws = Workspace::new();
    let mut session = ws.session(Mode::WorkspaceWrite);
    let root = ws.base().join("ws");
    fs::rename(&root, ws.base().join("moved")).unwrap();
    fs::create_dir(&root).unwrap();
    let answer = session.call("write", &json!({"file_path": "a", "content": "x"}));
    assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"), "{answer:?}");
    assert!(!root.join("a").exists());
}

#[test]
fn a_withdrawn_call_is_aborted_and_the_next_one_is_not() {
    let ws = Workspace::new();
    fs::write(ws.inside("a"), "x").unwrap();
    let mut session = ws.session(Mode::ReadOnly);
    session.cancel_handle().cancel();
    let read = json!({"file_path": "a"});
    assert_eq!(session.call("read", &read).code, Some("FS_ABORTED"));
    assert!(session.call("read", &read).ok);
}

#[test]
fn an_unconfined_session_writes_anywhere_by_name() {
    let ws = Workspace::new();
    let mut options = ws.options(Mode::ReadOnly);
    options.confined = false;
    let mut session = SHIPPED.session(options).unwrap();
    let write = json!({"file_path": ws.outside("a"), "content": "x"});
    assert!(session.call("write", &write).ok);
}

#[test]
fn an_argument_that_could_not_cross_is_refused_and_ends_nothing() {
    let ws = Workspace::new();
    let mut session = ws.session(Mode::WorkspaceWrite);
    let content = "x".repeat((64 << 20) + 1);
    let answer = session.call("write", &json!({"file_path": "a", "content": content}));
    assert_eq!(answer.code, Some("INVALID_ARGUMENTS"), "{}", answer.text);
    let path = "x".repeat((64 << 20) + 1);
    let answer = session.call("read", &json!({"file_path": path}));
    assert_eq!(answer.code, Some("INVALID_ARGUMENTS"), "{}", answer.text);
    let args = ReadArgs {
        file_path: "none".into(),
        ..ReadArgs::default()
    };
    let error = session.read(args).expect_err("there is no such file");
    assert_eq!(error.code.name(), "FS_NOT_FOUND");
}

/// Fails without `check_size` in `imports/listing.rs` and without `without_huge_texts` in
/// `imports/mutation.rs`: the session then ends.
#[test]
fn what_is_too_large_to_hand_over_ends_nothing() {
    let ws = Workspace::new();
    let runtime = Runtime::new(RuntimeOptions {
        limits: Limits {
            memory_bytes: 5 << 20,
            transfer_bytes: 256 << 10,
            ..Limits::default()
        },
        ..RuntimeOptions::default()
    })
    .unwrap();
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.report_texts = true;
    let mut session = runtime.session(options).unwrap();

    fs::write(ws.inside("big"), "old ".to_owned() + &"x\n".repeat(2 << 20)).unwrap();
    assert!(session.call("read", &json!({"file_path": "big"})).ok);
    let edit = json!({"file_path": "big", "old_string": "old", "new_string": "new"});
    let edited = session.call("edit", &edit);
    assert!(edited.ok, "{edited:?}");
    assert_eq!(edited.value.unwrap().get("after"), None);

    fs::create_dir(ws.inside("many")).unwrap();
    for number in 0..1_000 {
        fs::write(ws.inside(&format!("many/{number:0100}")), "").unwrap();
    }
    let list = session.call("list", &json!({"file_path": "many"}));
    assert_eq!(list.code, Some("FS_TOO_LARGE"), "{}", list.text);
    assert!(session.call("list", &json!({})).ok);
}
