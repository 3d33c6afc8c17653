//! Answers for longer than one call.

use std::sync::Arc;

use dsh_fs::types::Mode;
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
