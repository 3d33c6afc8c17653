//! `dsh-fs run`: every tool, and arguments that are none.

use serde_json::json;

use super::place::{Place, call, code};

#[test]
fn every_tool_answers() {
    let place = Place::with_file("one\ntwo\n");
    let answers = place.answers(
        &[],
        &[
            call("read", json!({"file_path": "a.txt"})),
            call(
                "edit",
                json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"}),
            ),
            call("write", json!({"file_path": "new/b.txt", "content": "x\n"})),
            call("list", json!({"file_path": "."})),
        ],
    );
    assert!(
        answers.iter().all(|answer| answer["ok"] == true),
        "{answers:?}"
    );
    assert_eq!(answers[0]["value"]["lines"][1]["text"], "two");
    assert_eq!(answers[1]["value"]["operation"], "update");
    assert_eq!(answers[2]["value"]["operation"], "create");
    let names = answers[3]["text"].as_str().expect("a text");
    assert!(names.contains("a.txt") && names.contains("new/"), "{names}");
    assert_eq!(place.content("a.txt"), "1\ntwo\n");
    assert_eq!(place.content("new/b.txt"), "x\n");
}

/// Without the guard of the provider, or the decision of the gate, the file is replaced.
#[test]
fn what_was_not_seen_is_neither_replaced_nor_edited() {
    let place = Place::with_file("kept");
    let edit = json!({"file_path": "a.txt", "old_string": "kept", "new_string": "lost"});
    let calls = [
        call("write", json!({"file_path": "a.txt", "content": "lost"})),
        call("edit", edit.clone()),
        call("read", json!({"file_path": "a.txt"})),
    ];
    assert_eq!(
        place.codes(&[], &calls),
        ["FS_NOT_OBSERVED", "FS_NOT_OBSERVED", "ok"]
    );
    assert_eq!(
        place.codes(
            &["--mode", "read-only"],
            &[calls[2].clone(), call("edit", edit)]
        ),
        ["ok", "FS_SANDBOX_DENIED"]
    );
    assert_eq!(place.content("a.txt"), "kept");
}

#[test]
fn arguments_that_do_not_fit_are_named() {
    let place = Place::with_file("one\n");
    let wrong = [
        (call("read", json!([])), "object"),
        (call("read", json!({})), "file_path"),
        (call("read", json!({"file_path": 7})), "file_path"),
        (
            call("read", json!({"file_path": "a.txt", "offset": 0})),
            "offset",
        ),
        (
            call("read", json!({"file_path": "a.txt", "limit": -1})),
            "limit",
        ),
        (
            call("read", json!({"file_path": "a.txt", "limit": 1.5})),
            "limit",
        ),
        (call("write", json!({"file_path": "b.txt"})), "content"),
        (
            call("write", json!({"file_path": "b.txt", "content": null})),
            "content",
        ),
        (
            call("edit", json!({"file_path": "a.txt", "old_string": "one"})),
            "new_string",
        ),
        (call("nothing", json!({})), "nothing"),
        (json!({"tool": 7, "args": {}}), "tool"),
        (json!({"args": {}}), "tool"),
        (json!({"tool": "read"}), "file_path"),
    ];
    let calls = wrong.clone().map(|(call, _)| call);
    for (answer, (call, named)) in place.answers(&[], &calls).iter().zip(wrong) {
        assert_eq!(code(answer), "INVALID_ARGUMENTS", "{call}");
        assert!(
            answer["text"].as_str().expect("a text").contains(named),
            "{call}: {answer}"
        );
    }
}
