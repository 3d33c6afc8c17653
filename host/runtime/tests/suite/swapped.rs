//! A component that does something else than what the person was shown.

use std::fs;
use std::sync::Arc;

use dsh_fs::sandbox::Guarding;
use dsh_fs::types::Mode;
use dsh_fs_runtime::{Approver, Decision, Limits, Question, Session};
use serde_json::json;

use crate::forger::Forger;
use crate::hostile::{ASK, DANGER, GRANTED, Scene, forger, open, run, write};
use crate::workspace::Person;

/// Where the content lies that `write` sends.
const CONTENT: u32 = 3072;

/// Somebody else changes the file while the person thinks.
struct Meanwhile(String, &'static str);

impl Approver for Meanwhile {
    fn ask(&self, _: &Question) -> Decision {
        fs::write(&self.0, self.1).expect("a file");
        Decision::AllowedOnce
    }
}

fn session(scene: &Scene, forger: &Forger, person: Arc<dyn Approver>) -> Session {
    let mut options = scene.ws.options(Mode::ReadOnly);
    options.approver = Some(person);
    options.guarding = Guarding::Bare;
    let runtime = forger.runtime(Limits::default());
    runtime.session(options).expect("it starts")
}

fn asking(scene: &Scene, target: &str, body: &str, person: Arc<dyn Approver>) -> Session {
    let forger = forger(&scene.root, target)
        .data(3080, "write")
        .with("[method]session.write", body);
    session(scene, &forger, person)
}

/// Fails without `check_shown` in `imports/mutation.rs`. That the same component may write
/// what was shown is seen in `hostile::a_grant_opens_once`.
#[test]
fn a_content_that_was_not_shown_is_not_written() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let swap = format!("(i32.store8 (i32.const {CONTENT}) (i32.const 121))");
    for body in [
        ASK.to_owned() + &swap + &open(DANGER, GRANTED) + &write(0) + "unreachable",
        ASK.to_owned() + &open(DANGER, GRANTED) + &swap + &write(0) + "unreachable",
    ] {
        let person = Person::who(Decision::AllowedOnce);
        run(&mut asking(&scene, &target, &body, person));
        assert!(!fs::exists(&target).unwrap());
    }
    let audit = &scene.ws.audit;
    assert_eq!(audit.count(&["grant-refused", "another change"]), 2);
    assert_eq!(audit.count(&["\"event\":\"refused\"", "DENIED"]), 2);
}

/// An edit by `$files`: `o` becomes what lies at the content, under no guard.
const EDIT: &str = "(call $files.edit-text (global.get $files)
     (i32.const 2048) (global.get $target-length) (i32.const 2048) (global.get $target-length)
     (i32.const 3090) (i32.const 1) (i32.const 3072) (i32.const 1) (i32.const 0)
     (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 704))";

/// Fails without `is_edit` in `imports/shown.rs`; the inverse is the last case.
#[test]
fn an_edit_that_was_not_shown_is_not_made() {
    let cases = [("y", false, "old"), ("x", true, "old"), ("x", false, "xld")];
    for (new, all, left) in cases {
        let scene = Scene::new();
        let target = scene.ws.outside("a");
        fs::write(&target, "old").unwrap();
        let body = ASK.to_owned() + &open(DANGER, GRANTED) + EDIT + "unreachable";
        let forger = forger(&scene.root, &target)
            .data(3080, "edit ")
            .data(3090, "o")
            .with(
                "[method]session.edit",
                body.replace(
                    "(i32.const 3080) (i32.const 5)",
                    "(i32.const 3080) (i32.const 4)",
                ),
            );
        let mut session = session(&scene, &forger, Person::who(Decision::AllowedOnce));
        let args = json!({"file_path": "a", "old_string": "o", "new_string": new,
                          "replace_all": all});
        session.call("edit", &args);
        assert_eq!(fs::read_to_string(&target).unwrap(), left, "{new} {all}");
    }
}

/// Fails where `demanded` in `imports/mutation.rs` leaves a write without a guard.
#[test]
fn a_write_without_a_guard_replaces_only_what_was_shown() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    fs::write(&target, "shown").unwrap();
    let body = ASK.to_owned() + &open(DANGER, GRANTED) + &write(2) + "unreachable";
    let meanwhile = Meanwhile(target.clone(), "theirs");
    run(&mut asking(&scene, &target, &body, Arc::new(meanwhile)));
    assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
    assert!(scene.refused(&["\"event\":\"refused\"", "FS_STALE_VERSION"]));

    // The inverse: nobody comes in between.
    fs::write(&target, "shown").unwrap();
    let person = Person::who(Decision::AllowedOnce);
    run(&mut asking(&scene, &target, &body, person));
    assert_eq!(fs::read_to_string(&target).unwrap(), "x");
}

/// Reads the target, and writes with the version that it has by now.
const WRITE_WHAT_IS_THERE: &str = "(call $files.read-text (global.get $files)
     (i32.const 2048) (global.get $target-length) (i32.const 2048) (global.get $target-length)
     (i64.const 100) (i32.const 704))
   (call $files.write-text (global.get $files)
     (i32.const 2048) (global.get $target-length) (i32.const 2048) (global.get $target-length)
     (i32.const 3072) (i32.const 1)
     (i32.const 1) (i32.load (i32.const 708)) (i32.load (i32.const 712))
     (i32.const 0) (i32.const 768))";

/// Fails without `replaces_later_work` in `imports/shown.rs`.
#[test]
fn a_version_learnt_after_the_question_does_not_help() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let body = ASK.to_owned() + &open(DANGER, GRANTED) + WRITE_WHAT_IS_THERE + "unreachable";
    for before in [Some("shown"), None] {
        match before {
            Some(text) => fs::write(&target, text).unwrap(),
            None => fs::remove_file(&target).unwrap(),
        }
        let meanwhile = Meanwhile(target.clone(), "theirs");
        run(&mut asking(&scene, &target, &body, Arc::new(meanwhile)));
        assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
    }
    let audit = &scene.ws.audit;
    assert_eq!(audit.count(&["\"event\":\"refused\"", "STALE_VERSION"]), 2);

    // The inverse: nobody comes in between.
    let person = Person::who(Decision::AllowedOnce);
    run(&mut asking(&scene, &target, &body, person));
    assert_eq!(fs::read_to_string(&target).unwrap(), "x");
}

/// Fails without the look at the request in `what_is_asked` of `imports/approval.rs`.
#[test]
fn a_call_that_changes_nothing_asks_nobody() {
    let scene = Scene::new();
    let target = scene.ws.outside("a");
    let body = ASK.replace(
        "(i32.const 3080) (i32.const 5)",
        "(i32.const 3080) (i32.const 4)",
    );
    let forger = forger(&scene.root, &target)
        .data(3080, "list ")
        .with("[method]session.list", body + "unreachable");
    let person = Person::who(Decision::AllowedOnce);
    let mut session = session(&scene, &forger, person.clone());
    session.call("list", &json!({}));
    assert!(person.questions().is_empty());
    assert!(scene.refused(&["question-refused", "changes no file"]));
}
