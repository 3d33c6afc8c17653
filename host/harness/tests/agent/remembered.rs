//! Answers for longer than one call.

use std::sync::Arc;

use dsh_fs::types::Mode;
use dsh_fs_harness::AgentOptions;
use dsh_fs_harness::deployment::{EscalationRule, MayEscalate};
use dsh_fs_runtime::{Approver, Decision};
use serde_json::{Value, json};

use crate::ground::{Ground, Person, agent, call};

fn wide(ground: &Ground, name: &str, content: &str) -> Value {
    json!({
        "file_path": ground.path(name),
        "content": content,
        "sandbox_permissions": "danger-full-access",
        "justification": "it belongs there",
    })
}

/// The code of a write outside the workspace; `ok` where it was made.
fn write(ground: &Ground, person: &Arc<Person>, name: &str, content: &str) -> &'static str {
    let harness = ground.harness(Some(ground.store()));
    let agent = agent(&harness, Some(Arc::clone(person) as Arc<dyn Approver>));
    let answer = call(&agent, "write", wide(ground, name, content));
    answer.code.unwrap_or("ok")
}

/// Fails without the look into the database, without the row, and where the key is left
/// out of the comparison.
#[test]
fn a_yes_for_the_session_is_asked_once_and_for_one_file() {
    for yes in [Decision::AllowedForSession, Decision::AllowedForWorkspace] {
        let ground = Ground::new();
        let person = Person::who_says(yes);
        assert_eq!(write(&ground, &person, "out", "1"), "ok");
        assert_eq!(write(&ground, &person, "out", "2"), "ok");
        assert_eq!(person.asked().len(), 1);
        assert_eq!(write(&ground, &person, "more", "1"), "ok");
        assert_eq!(person.asked().len(), 2);

        let grants = ground.store().grants().expect("grants");
        assert_eq!(grants.len(), 2);
        let revoked = ground
            .store()
            .revoke_grant(grants[0].id)
            .expect("an answer");
        assert!(revoked.is_some());
        assert_eq!(write(&ground, &person, "out", "3"), "ok");
        assert_eq!(person.asked().len(), 3);
    }
}

#[test]
fn a_yes_for_once_is_kept_nowhere() {
    let ground = Ground::new();
    let person = Person::who_says(Decision::AllowedOnce);
    assert_eq!(write(&ground, &person, "out", "1"), "ok");
    assert_eq!(write(&ground, &person, "out", "2"), "ok");
    assert_eq!(person.asked().len(), 2);
    assert!(ground.store().grants().expect("grants").is_empty());
}

/// Fails without `AND place = ?6` in `use_grant`: the directory that was put in the place of
/// the one that a person was asked about would inherit the answer.
#[test]
fn another_directory_under_the_same_path_inherits_no_answer() {
    for yes in [Decision::AllowedForSession, Decision::AllowedForWorkspace] {
        let ground = Ground::new();
        let person = Person::who_says(yes);
        assert_eq!(write(&ground, &person, "out", "1"), "ok");
        std::fs::rename(ground.path("ws"), ground.path("before")).expect("moved");
        std::fs::create_dir(ground.path("ws")).expect("another workspace");
        assert_eq!(write(&ground, &person, "out", "2"), "ok");
        assert_eq!(person.asked().len(), 2);
        // An inode that is free is given again: then the moment tells them apart.
        std::fs::remove_dir(ground.path("ws")).expect("removed");
        std::fs::create_dir(ground.path("ws")).expect("a third one");
        assert_eq!(write(&ground, &person, "out", "3"), "ok");
        assert_eq!(person.asked().len(), 3);
    }
}

/// Fails where `Answers::keep` keeps nothing without a database.
#[test]
fn without_a_database_an_answer_lasts_as_long_as_the_harness() {
    let ground = Ground::new();
    let person = Person::who_says(Decision::AllowedForSession);
    for (asked, name) in [(1, "one"), (2, "two")] {
        let harness = ground.harness(None);
        let agent = agent(&harness, Some(Arc::clone(&person) as Arc<dyn Approver>));
        for content in ["1", "2"] {
            assert!(call(&agent, "write", wide(&ground, name, content)).ok);
        }
        assert_eq!(person.asked().len(), asked);
    }
}

/// Fails without `stricter` in `Rules::may_escalate`, and for the mode without it in `capped`.
#[test]
fn a_session_that_another_one_names_has_the_stricter_rule_of_both() {
    let (never, always, ask) = (MayEscalate::Never, MayEscalate::Always, MayEscalate::Ask);
    for (own, above, expected) in [
        (always, never, never),
        (never, always, never),
        (always, ask, ask),
        (ask, always, ask),
        (always, always, always),
    ] {
        let mut ground = Ground::new();
        for (name, answer) in [("own", own), ("above", above)] {
            let rule = EscalationRule::new(name, None, answer).expect("a rule");
            ground.deployment.escalation.push(rule);
        }
        let person = Person::who_says(Decision::AllowedOnce);
        let options = AgentOptions {
            approver: Some(Arc::clone(&person) as Arc<dyn Approver>),
            named_by: Some("above".into()),
            ..AgentOptions::default()
        };
        let harness = ground.harness(None);
        let agent = harness.agent("own", options).expect("a session");
        let answer = call(&agent, "write", wide(&ground, "out", "x"));
        assert_eq!(answer.ok, expected != never, "{own:?} {above:?}");
        let asked = usize::from(expected == ask);
        assert_eq!(person.asked().len(), asked, "{own:?} {above:?}");
    }
}

/// Fails where the deployment is not asked before the database and the person.
#[test]
fn the_deployment_answers_first() {
    for (rule, expected) in [
        (MayEscalate::Never, "ESCALATION_REFUSED"),
        (MayEscalate::Always, "ok"),
    ] {
        let mut ground = Ground::new();
        let person = Person::who_says(Decision::AllowedForSession);
        assert_eq!(write(&ground, &person, "out", "1"), "ok");
        let rule = EscalationRule::new("s*", Some(Mode::DangerFullAccess), rule);
        ground.deployment.escalation.push(rule.expect("a rule"));
        assert_eq!(write(&ground, &person, "out", "2"), expected);
        assert_eq!(person.asked().len(), 1);
    }
}
