//! `policy`, `doctor` and `demo`.

use std::fs;

use serde_json::Value;

use super::place::Place;
use super::program;

#[test]
fn policy_tells_its_fields() {
    let place = Place::new();
    for mode in ["read-only", "workspace-write", "danger-full-access"] {
        let args = ["policy", "--workspace", "ws", "--mode", mode, "--json"];
        let policy: Value = serde_json::from_str(&place.program(args).done()).expect("JSON");
        assert_eq!(policy["mode"], mode);
        assert!(
            policy["workspaceRoot"]
                .as_str()
                .expect("a path")
                .ends_with("/ws")
        );
        assert!(policy["text"].as_str().expect("a text").contains(mode));
        let roots = policy["writableRoots"].as_array().expect("a list");
        assert_eq!(
            roots.is_empty(),
            mode != "workspace-write",
            "{mode}: {roots:?}"
        );
    }
    let text = place.program(["policy", "--workspace", "ws"]).done();
    assert!(
        text.contains("read-only") && text.contains("nothing"),
        "{text}"
    );
}

#[test]
fn doctor_tells_findings_with_reasons_and_leaves_nothing() {
    let place = Place::new();
    let text = place.program(["doctor", "ws", "--json"]).done();
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert!(told["folder"].as_str().expect("a path").ends_with("/ws"));
    let findings = told["findings"].as_array().expect("a list");
    for name in ["openat2", "exchange rename", "lease", "ahead-of-time code"] {
        assert!(
            findings.iter().any(|finding| finding["name"] == name),
            "{name}"
        );
    }
    for finding in findings {
        assert!(finding["works"].is_boolean(), "{finding}");
        for field in ["name", "detail", "matters"] {
            assert!(
                finding[field].as_str().is_some_and(|text| !text.is_empty()),
                "{finding}"
            );
        }
    }
    let text = place.program(["doctor", "ws"]).done();
    assert!(text.contains("openat2"), "{text}");
    assert_eq!(
        fs::read_dir(place.workspace())
            .expect("a directory")
            .count(),
        0
    );
}

#[test]
fn doctor_wants_a_folder() {
    let place = Place::new();
    fs::write(place.beside("file"), "").expect("a file");
    for name in ["missing", "file"] {
        let why = place.program(["doctor", name]).failed(3);
        assert!(why.starts_with("folder ") && why.contains(name), "{why}");
    }
}

#[test]
fn the_demo_shows_every_kind_of_answer_and_leaves_nothing() {
    let place = Place::new();
    let text = place.program(["demo"]).done();
    let mut rest = text.as_str();
    let expected = [
        "answer ok",
        "answer FS_NOT_OBSERVED",
        "answer FS_STALE_VERSION",
        "answer FS_SANDBOX_DENIED",
        "asked",
        "answer ok",
        "answer FS_SANDBOX_DENIED",
        "That was it.",
    ];
    for step in expected {
        let at = rest
            .find(step)
            .unwrap_or_else(|| panic!("{step} is missing in: {text}"));
        rest = &rest[at + step.len()..];
    }
    assert!(text.contains("Notes that took an afternoon."), "{text}");
    let temporary = fs::read_dir(place.beside("tmp")).expect("a directory");
    assert_eq!(temporary.count(), 0);
}

#[test]
fn a_demo_that_cannot_make_its_folder_says_so() {
    let place = Place::new();
    let mut command = place.command(program::path());
    command.arg("demo").env("TMPDIR", place.beside("missing"));
    program::finish(&mut command, b"").failed(1);
}
