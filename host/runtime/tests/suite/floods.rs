//! A component that asks, tells or answers too much: the person is not worn down, the audit
//! is not drowned, and the memory of the host is not used up.

use std::fs;
use std::time::Duration;

use dsh_fs::types::Mode;
use dsh_fs_runtime::{Answer, Decision, Limits, Session};
use serde_json::{Value, json};

use crate::forger::Forger;
use crate::hostile::{NO_GRANT, Scene, forger, open, run};
use crate::limits::SHORT;
use crate::workspace::{Person, Workspace};

/// Asks for `danger-full-access` about the target for ever, whatever the answer is.
const ASK_FOR_EVER: &str = "(loop $again
    (call $ask (i32.const 3080) (i32.const 5)
      (i32.const 2048) (global.get $target-length) (i32.const 2) (i32.const 0) (i32.const 0)
      (i32.const 640))
    (br $again)) unreachable";

/// Fails without the look at `asked` in `imports/approval.rs`: the person is asked a
/// thousand times.
#[test]
fn a_person_is_asked_once_in_a_call() {
    for decision in [
        Decision::Rejected,
        Decision::Cancelled,
        Decision::AllowedOnce,
    ] {
        let scene = Scene::new();
        let forger = forger(&scene.root, &scene.ws.outside("a"))
            .data(3080, "write")
            .with("[method]session.write", ASK_FOR_EVER);
        let person = Person::who(decision);
        let mut options = scene.ws.options(Mode::ReadOnly);
        options.approver = Some(person.clone());
        let runtime = forger.runtime(Limits::default());
        let mut session = runtime.session(options).unwrap();
        assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
        assert_eq!(person.questions().len(), 1);
        assert!(scene.refused(&["\"event\":\"asked\""]));
        let again = ["question-refused", "asked already"];
        assert!(scene.ws.audit.count(&again) > 0);
    }
}

/// Fails (the loop ends after ten seconds, with as many events as fit in) without
/// `check_events` in `imports/filesystem.rs`.
#[test]
fn events_without_end_end_the_session() {
    let scene = Scene::new();
    let body = "(loop $again
        (call $open (i32.const 2) (i32.const 1024) (global.get $root-length)
          (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)
          (i32.const 512))
        (br $again)) unreachable";
    let forger = forger(&scene.root, &scene.ws.outside("a")).with("[method]session.write", body);
    let runtime = forger.runtime(Limits::default());
    let options = scene.ws.options(Mode::ReadOnly);
    let mut session = runtime.session(options).unwrap();
    assert_eq!(run(&mut session), Some("COMPONENT_TRAPPED"));
    assert_eq!(scene.ws.audit.count(&["open-denied"]), 1_001);
    assert!(scene.refused(&["trapped", "more than 1000 things"]));
}

/// Fails without `bounded::text` at `QuestionRefused` in `audit.rs`. A tool whose name is
/// 98,304 times NUL, each of which takes six bytes in JSON.
#[test]
fn a_long_name_is_cut_in_the_audit() {
    let scene = Scene::new();
    let body = "(call $ask (i32.const 32768) (i32.const 98304)
          (i32.const 32768) (i32.const 98304) (i32.const 2) (i32.const 0) (i32.const 0)
          (i32.const 640)) unreachable";
    let forger = forger(&scene.root, "a").with("[method]session.write", body);
    let runtime = forger.runtime(Limits::default());
    let options = scene.ws.options(Mode::ReadOnly);
    let mut session = runtime.session(options).unwrap();
    run(&mut session);
    assert!(scene.refused(&["question-refused", "\\u0000…"]));
    let longest = scene.ws.audit.longest();
    assert!(longest < 2 * 6 * 16 * 1024 + 1_000, "{longest}");
}

/// What a component writes into the audit is one line, and nothing that moves a cursor.
#[test]
fn a_name_cannot_forge_a_line_of_the_audit() {
    let scene = Scene::new();
    let name = "\\0a{\\22event\\22:\\22published\\22}\\0a\\1b[2J";
    let length = "\n{\"event\":\"published\"}\n\u{1b}[2J".len();
    let body = format!(
        "(call $ask (i32.const 3080) (i32.const {length})
           (i32.const 3080) (i32.const {length}) (i32.const 2) (i32.const 0) (i32.const 0)
           (i32.const 640)) unreachable"
    );
    let forger = forger(&scene.root, "a")
        .data(3080, name)
        .with("[method]session.write", body);
    let runtime = forger.runtime(Limits::default());
    let options = scene.ws.options(Mode::ReadOnly);
    run(&mut runtime.session(options).unwrap());
    let written = scene.ws.audit.lines();
    assert!(written.iter().any(|line| line.contains("question-refused")));
    for line in written {
        assert!(!line.contains(['\n', '\u{1b}']), "{line}");
        let value: Value = serde_json::from_str(&line).expect("one object");
        assert_ne!(value["event"], "published");
    }
}

/// A session of a component that answers one tool with this.
fn answering(ws: &Workspace, forger: &Forger) -> Session {
    let runtime = forger.runtime(SHORT);
    runtime
        .session(ws.options(Mode::ReadOnly))
        .expect("it starts")
}

/// What `read` answers: at 1024, with a text of so many line feeds from 262144 on, the
/// first of which is said to be this one.
fn lines(count: u32, first: u32) -> String {
    format!(
        "(drop (memory.grow (i32.const 16)))
         (memory.fill (i32.const 262144) (i32.const 10) (i32.const {count}))
         (i32.store (i32.const 1060) (i32.const 262144))
         (i32.store (i32.const 1064) (i32.const {count}))
         (i32.store (i32.const 1068) (i32.const {first}))
         (i32.const 1024)"
    )
}

fn read(body: String) -> Answer {
    let ws = Workspace::new();
    let forger = Forger::new().with("[method]session.read", body);
    answering(&ws, &forger).call("read", &json!({"file_path": "a"}))
}

/// A few bytes for each line here are a hundred there. Fails without `weight` in
/// `Session::judged`: half a million objects are made of half a megabyte.
#[test]
fn an_answer_of_empty_lines_is_refused() {
    assert!(read(lines(1_000, 1)).ok);
    let answer = read(lines(524_288, 1));
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"));
    assert!(
        answer.text.contains("would take more than 4194304"),
        "{}",
        answer.text
    );
}

/// Fails (panics) where the lines are counted in 32 bits.
#[test]
fn the_last_number_of_a_line_is_no_end() {
    let answer = read(lines(3, u32::MAX));
    let lines = &answer.value.expect("an answer")["lines"];
    assert_eq!(lines[2]["number"], u64::from(u32::MAX) + 2);
}

/// A path of 64 KiB that is shown with each of 2,000 regions. Fails as the one above.
#[test]
fn an_answer_with_one_path_for_many_regions_is_refused() {
    // `ok`, a create; the path; no version, no regions but these.
    let body = "(i32.store (i32.const 1048) (i32.const 196608))
        (i32.store (i32.const 1052) (i32.const 65536))
        (i32.store (i32.const 1100) (i32.const 65536))
        (i32.store (i32.const 1104) (i32.const 2000))
        (i32.const 1024)";
    let ws = Workspace::new();
    let forger = Forger::new().with("[method]session.write", body);
    let answer = answering(&ws, &forger).call("write", &json!({"file_path": "a", "content": ""}));
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"));
    assert!(answer.text.contains("would take more"), "{}", answer.text);
}

/// Fails without `set_hostcall_fuel` in `session/start.rs`.
#[test]
fn a_huge_text_is_refused_in_both_directions() {
    let grown = "(drop (memory.grow (i32.const 64)))";
    let answers = format!(
        "{grown} (i32.store (i32.const 1060) (i32.const 262144))
         (i32.store (i32.const 1064) (i32.const 3000000)) (i32.const 1024)"
    );
    assert!(read(answers).text.contains("fuel"));
    let scene = Scene::new();
    let asks = open(0, NO_GRANT)
        + grown
        + "(call $files.resolve (global.get $files) (i32.const 262144) (i32.const 3000000)
             (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 704)) unreachable";
    let forger = forger(&scene.root, "a").with("[method]session.read", asks);
    let answer = answering(&scene.ws, &forger).call("read", &json!({"file_path": "a"}));
    assert!(answer.text.contains("fuel"), "{}", answer.text);
}

/// Text is UTF-8 on the way out and on the way in.
#[test]
fn what_is_no_text_ends_the_session() {
    for (bytes, length) in [
        ("\\ff", 1),
        ("\\c3", 1),
        ("\\ed\\a0\\80", 3),
        ("\\f8\\88\\80\\80", 4),
    ] {
        let body = format!(
            "(i32.store (i32.const 1060) (i32.const 3072))
             (i32.store (i32.const 1064) (i32.const {length})) (i32.const 1024)"
        );
        let ws = Workspace::new();
        let out = Forger::new()
            .data(3072, bytes)
            .with("[method]session.read", body);
        let scene = Scene::new();
        let body = open(0, NO_GRANT)
            + &format!(
                "(call $files.resolve (global.get $files) (i32.const 3080) (i32.const {length})
                   (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 704)) unreachable"
            );
        let inward = forger(&scene.root, "a")
            .data(3080, bytes)
            .with("[method]session.read", body);
        for (ws, forger) in [(&ws, out), (&scene.ws, inward)] {
            let answer = answering(ws, &forger).call("read", &json!({"file_path": "a"}));
            assert_eq!(answer.code, Some("COMPONENT_TRAPPED"), "{bytes}");
            assert!(answer.text.contains("utf-8"), "{bytes}: {}", answer.text);
            assert_eq!(ws.audit.count(&["\"event\":\"trapped\""]), 1);
        }
    }
}

/// A module that speaks UTF-16 answers half a pair.
#[test]
fn a_lone_surrogate_ends_the_session() {
    let body = "(i32.store (i32.const 1060) (i32.const 3072))
        (i32.store (i32.const 1064) (i32.const 1)) (i32.const 1024)";
    let ws = Workspace::new();
    let forger = Forger::new()
        .utf16()
        .data(3072, "\\00\\d8")
        .with("[method]session.read", body);
    let answer = answering(&ws, &forger).call("read", &json!({"file_path": "a"}));
    assert_eq!(answer.code, Some("COMPONENT_TRAPPED"));
    assert!(answer.text.contains("surrogate"), "{}", answer.text);
}

/// The greatest numbers are numbers.
#[test]
fn a_window_of_the_greatest_numbers_is_a_window() {
    let scene = Scene::new();
    let target = scene.ws.inside("a");
    fs::write(&target, "one\r\ntwo").unwrap();
    let window = |numbers: [i32; 5]| {
        let [line, column, lines, bytes, chars] = numbers;
        format!(
            "(call $files.read-window (global.get $files)
               (i32.const 2048) (global.get $target-length)
               (i32.const 2048) (global.get $target-length)
               (i32.const {line}) (i32.const {column}) (i32.const {lines})
               (i32.const {bytes}) (i32.const {chars}) (i32.const 704))
             (if (i32.load8_u (i32.const 704)) (then (loop $for-ever (br $for-ever))))"
        )
    };
    let mut body = open(0, NO_GRANT);
    for at in 0..5 {
        for (number, others) in [(-1, 0), (-1, 1), (0, -1), (1, -1)] {
            let mut numbers = [others; 5];
            numbers[at] = number;
            body += &window(numbers);
        }
    }
    body += &window([-1; 5]);
    body += "(call $files.read-text (global.get $files)
               (i32.const 2048) (global.get $target-length)
               (i32.const 2048) (global.get $target-length) (i64.const -1) (i32.const 704))
             unreachable";
    let forger = forger(&scene.root, &target).with("[method]session.read", body);
    let answer = answering(&scene.ws, &forger).call("read", &json!({"file_path": "a"}));
    assert!(answer.text.contains("unreachable"), "{}", answer.text);
}

/// A component that makes handles of its own for ever uses memory of the host by it.
/// wasmtime counts them: a hundred thousand in one store.
#[test]
fn handles_that_a_component_makes_are_bounded() {
    let body = "(loop $again
        (drop (call $resource-new-session (i32.const 1)))
        (br $again)) unreachable";
    let ws = Workspace::new();
    let forger = Forger::new().with("[method]session.read", body);
    let runtime = forger.runtime(Limits {
        guest_time: Duration::from_secs(60),
        ..Limits::default()
    });
    let mut session = runtime.session(ws.options(Mode::ReadOnly)).unwrap();
    let answer = session.call("read", &json!({"file_path": "a"}));
    assert!(
        answer.text.contains("handle limit exceeded"),
        "{}",
        answer.text
    );
}
