//! `dsh-fs run`: lines that are no call, and the ids of those that are.

use serde_json::{Value, json};

use super::place::{Place, code, lines};

#[test]
fn an_id_of_any_type_comes_back() {
    let place = Place::with_file("x");
    let ids = [
        json!(1),
        json!(-1),
        json!(u64::MAX),
        json!(1.5),
        json!("a \" \n \u{1f600}"),
        json!(true),
        json!(null),
        json!([1, {"a": []}]),
        json!({"z": 1, "a": 2}),
    ];
    let call = |id| json!({"id": id, "tool": "read", "args": {"file_path": "a.txt"}});
    let answers = place.answers(&[], &ids.clone().map(call));
    let back: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(back, ids.iter().collect::<Vec<_>>());
}

#[test]
fn a_line_that_is_no_call_is_answered_and_the_next_one_too() {
    let place = Place::with_file("x");
    let read = json!({"id": "last", "tool": "read", "args": {"file_path": "a.txt"}});
    let bad: [&[u8]; 10] = [
        b"{bad",
        b"[1]",
        b"\"read\"",
        b"7",
        b"null",
        b"{\"tool\":\"read\"} {}",
        b"{\"tool\":\"\\ud800\"}",
        b"\xff\xfe{}",
        b"{\"tool\":\"read\",\"args\":{\"file_path\":\"\xc3\x28\"}}",
        b"\0",
    ];
    let input = [
        bad.join(&b'\n'),
        b"\n".to_vec(),
        lines(&[read]).into_bytes(),
    ]
    .concat();
    let answers = place.answers_to(&[], &input);
    assert_eq!(answers.len(), bad.len() + 1);
    let (last, refused) = answers.split_last().expect("there are answers");
    for answer in refused {
        assert_eq!(
            (code(answer).as_str(), &answer["id"]),
            ("INVALID_ARGUMENTS", &Value::Null)
        );
    }
    assert_eq!((code(last).as_str(), &last["id"]), ("ok", &json!("last")));
}

#[test]
fn blank_lines_have_no_answer_and_the_last_line_needs_no_end() {
    let place = Place::with_file("x");
    let read = json!({"tool": "read", "args": {"file_path": "a.txt"}});
    let input = format!("\n  \n\t\r\n{read}\r\n\n{read}");
    assert_eq!(place.answers_to(&[], input.as_bytes()).len(), 2);
    assert!(place.answers_to(&[], b"").is_empty());
}

/// JSON nested deeper than the reader follows is an answer, and no overflow of the stack.
#[test]
fn deep_nesting_is_refused() {
    let place = Place::new();
    let deep = "[".repeat(1 << 20);
    let input = format!("{deep}\n{{\"id\":{deep}\n{{\"tool\":\"read\",\"args\":{deep}\n");
    for answer in place.answers_to(&[], input.as_bytes()) {
        assert_eq!(code(&answer), "INVALID_ARGUMENTS");
    }
}
