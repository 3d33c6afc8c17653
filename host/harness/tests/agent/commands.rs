//! The tool `bash`.

use std::sync::Arc;

use dsh_fs_confine::{Backend, Used};
use dsh_fs_runtime::{Approver, Decision};
use serde_json::{Value, json};

use crate::ground::{Ground, Person, agent, call};

/// Whether something here confines commands; a test that needs it says so and returns.
fn confines(test: &str) -> bool {
    let ground = Ground::new();
    let harness = ground.harness(None);
    let probe = call(&agent(&harness, None), "bash", json!({"command": "true"}));
    if probe.code == Some("SANDBOX_UNAVAILABLE") {
        println!("SKIPPED {test}: {}", probe.text);
        return false;
    }
    true
}

fn touch(ground: &Ground, name: &str, wider: Option<&str>) -> Value {
    let mut args = json!({"command": format!("printf x > '{}'", ground.path(name).display())});
    if let Some(mode) = wider {
        args["sandbox_permissions"] = mode.into();
        args["justification"] = "it belongs there".into();
    }
    args
}

/// Fails where the command runs under another mode than the session's.
#[test]
fn a_command_may_do_what_the_files_may() {
    if !confines("a_command_may_do_what_the_files_may") {
        return;
    }
    let ground = Ground::new();
    let harness = ground.harness(None);
    let agent = agent(&harness, None);
    let inside = call(
        &agent,
        "bash",
        json!({"command": "echo hi > in; cat in; exit 3"}),
    );
    assert!(inside.ok, "{inside:?}");
    assert_eq!(inside.text, "hi\n[exit code 3]");
    assert_eq!(inside.value.expect("facts")["exitCode"], 3);
    let outside = call(&agent, "bash", touch(&ground, "out", None));
    assert_eq!(outside.code, Some("FS_SANDBOX_DENIED"));
    let marker = "[sandbox: file access denied under workspace-write mode]";
    assert!(outside.text.contains(marker), "{}", outside.text);
    assert!(!ground.path("out").exists());
}

/// Fails where the person is not asked, or is asked about another command, and where the
/// yes is good for a second one.
#[test]
fn a_yes_is_for_exactly_one_command() {
    if !confines("a_yes_is_for_exactly_one_command") {
        return;
    }
    let ground = Ground::new();
    let harness = ground.harness(Some(ground.store()));
    let person = Person::who_says(Decision::AllowedForSession);
    let agent = agent(&harness, Some(Arc::clone(&person) as Arc<dyn Approver>));
    for _ in 0..2 {
        let wide = touch(&ground, "out", Some("danger-full-access"));
        assert!(call(&agent, "bash", wide).ok);
    }
    assert!(ground.path("out").exists());
    let asked = person.asked();
    assert_eq!((asked.len(), asked[0].tool), (1, "bash"));
    assert!(asked[0].key.contains("printf x"), "{}", asked[0].key);
    let narrow = call(&agent, "bash", touch(&ground, "more", None));
    assert_eq!(narrow.code, Some("FS_SANDBOX_DENIED"));
    let other = touch(&ground, "more", Some("danger-full-access"));
    assert!(call(&agent, "bash", other).ok);
    assert_eq!(person.asked().len(), 2);
}

#[test]
fn what_may_not_be_asked_is_refused_as_for_files() {
    let ground = Ground::new();
    let harness = ground.harness(None);
    let refused = |person: Option<Arc<dyn Approver>>, mode: &str, why: &str| {
        let agent = agent(&harness, person);
        let args = json!({
            "command": "true", "sandbox_permissions": mode, "justification": why,
        });
        call(&agent, "bash", args).code
    };
    let person = || Some(Person::who_says(Decision::AllowedOnce) as Arc<dyn Approver>);
    assert_eq!(
        refused(person(), "read-only", "x"),
        Some("ESCALATION_REFUSED")
    );
    assert_eq!(
        refused(person(), "everything", "x"),
        Some("INVALID_ARGUMENTS")
    );
    assert_eq!(
        refused(person(), "danger-full-access", " "),
        Some("INVALID_ARGUMENTS")
    );
    assert_eq!(
        refused(None, "danger-full-access", "x"),
        Some("ESCALATION_REFUSED")
    );
    let no = Person::who_says(Decision::Rejected) as Arc<dyn Approver>;
    assert_eq!(
        refused(Some(no), "danger-full-access", "x"),
        Some("ESCALATION_REFUSED")
    );
}

/// Fails where a command runs without a runner.
#[test]
fn where_nothing_confines_no_command_runs() {
    let mut ground = Ground::new();
    ground.backend = Backend::Chain(vec![Used::Nothing]);
    let harness = ground.harness(None);
    let answer = call(
        &agent(&harness, None),
        "bash",
        json!({"command": "echo x > in"}),
    );
    assert_eq!(answer.code, Some("SANDBOX_UNAVAILABLE"));
    assert!(!ground.path("ws/in").exists());
}
