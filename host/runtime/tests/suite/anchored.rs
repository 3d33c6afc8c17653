//! Sessions that stand on one workspace, whatever takes its name later.

use std::fs;

use dsh_fs::types::Mode;
use dsh_fs_runtime::Anchor;
use serde_json::json;

use crate::workspace::{SHIPPED, Workspace};

/// Fails where `start.rs` does not use `options.anchor`: the later session would look the
/// path up again, and write to what took its name.
#[test]
fn a_later_session_stands_on_the_workspace_as_it_was_pinned() {
    let ws = Workspace::new();
    let mut options = ws.options(Mode::WorkspaceWrite);
    options.anchor = Some(Anchor::pin(&options.files, options.root()).expect("it is there"));
    let mut early = SHIPPED.session(options.clone()).expect("a session");
    let write = |name: &str| json!({"file_path": name, "content": "x"});
    assert_eq!(early.call("write", &write("one")).code, None);

    let (root, away) = (ws.base().join("ws"), ws.base().join("away"));
    fs::rename(&root, &away).expect("nobody holds it");
    std::os::unix::fs::symlink(ws.base().join("out"), &root).expect("a link");

    let mut late = SHIPPED.session(options).expect("a session");
    for session in [&mut early, &mut late] {
        let answer = session.call("write", &write("two"));
        assert_eq!(answer.code, Some("FS_SANDBOX_DENIED"), "{}", answer.text);
    }
    assert!(
        fs::read_dir(ws.base().join("out"))
            .expect("a directory")
            .next()
            .is_none()
    );
}

#[test]
fn a_workspace_that_is_none_cannot_be_pinned() {
    let ws = Workspace::new();
    let options = ws.options(Mode::ReadOnly);
    fs::write(ws.base().join("file"), "").expect("a file");
    for (name, code) in [("missing", "FS_NOT_FOUND"), ("file", "FS_NOT_DIRECTORY")] {
        let root = ws.base().join(name);
        let error = Anchor::pin(&options.files, root.to_str().expect("plain"));
        assert_eq!(error.err().map(|error| error.code.name()), Some(code));
    }
}
