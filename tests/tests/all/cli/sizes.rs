//! `dsh-fs run`: arguments as long as a line may be, and lines that are longer.

use serde_json::json;

use super::place::{Place, call, code, lines};

const MIB: usize = 1 << 20;

/// Without the limit of `lines::next` the line is kept whole; the runtime, which has the
/// same limit for the strings of a call, then answers with another sentence.
#[test]
fn a_line_of_70_mib_is_refused_and_the_next_one_answered() {
    let place = Place::with_file("x");
    let content = "x".repeat(70 * MIB);
    let answers = place.answers(
        &[],
        &[
            call("write", json!({"file_path": "big", "content": content})),
            call("read", json!({"file_path": "a.txt"})),
        ],
    );
    assert_eq!(code(&answers[0]), "INVALID_ARGUMENTS");
    assert!(
        answers[0]["text"]
            .as_str()
            .expect("a text")
            .contains("a call is at most 67108864 bytes")
    );
    assert_eq!(code(&answers[1]), "ok");
    assert!(!place.file("big").exists());
}

/// 64 MiB with the names around them are just over the limit of a line; a little less is
/// carried out.
#[test]
fn a_content_near_the_limit_of_a_line_is_written_whole() {
    let place = Place::new();
    let over = call(
        "write",
        json!({"file_path": "over", "content": "x".repeat(64 * MIB)}),
    );
    let within = call(
        "write",
        json!({"file_path": "within", "content": "y".repeat(63 * MIB)}),
    );
    let small = call("write", json!({"file_path": "small", "content": "z"}));
    assert_eq!(
        place.codes(&[], &[over, within, small]),
        ["INVALID_ARGUMENTS", "ok", "ok"]
    );
    let written = std::fs::metadata(place.file("within")).expect("it was written");
    assert_eq!(written.len(), 63 * MIB as u64);
}

#[test]
fn large_arguments_of_other_fields_are_answered() {
    let place = Place::with_file("one\n");
    let long = "k".repeat(8 * MIB);
    let edit = json!({"file_path": "a.txt", "old_string": long, "new_string": long});
    let calls = [
        call("read", json!({"file_path": "a.txt"})),
        call("edit", edit),
        call("read", json!({"file_path": long})),
        call("list", json!({"file_path": long})),
        call("write", json!({"file_path": long, "content": ""})),
        call(&long, json!({})),
        json!({"session": long, "tool": "read", "args": {"file_path": "a.txt"}}),
        json!({"id": "x", "tool": "list", "args": {"file_path": "."}}),
    ];
    let answers = super::place::answers(&place.run(&[], lines(&calls).as_bytes()).done());
    assert_eq!(answers.len(), calls.len());
    for answer in &answers[1..7] {
        assert_eq!(answer["ok"], false, "{:.300}", answer.to_string());
        assert_ne!(
            code(answer),
            "COMPONENT_TRAPPED",
            "{:.300}",
            answer.to_string()
        );
    }
    assert_eq!(code(&answers[7]), "ok");
    assert_eq!(place.content("a.txt"), "one\n");
}
