//! Reads while a change waits for a person.

use std::time::Duration;

use dsh_fs::cancel::Cancel;
use dsh_fs_harness::CallContext;
use dsh_fs_runtime::Decision;
use serde_json::json;

use crate::ground::{Ground, Slow, agent, call};

fn wide(ground: &Ground) -> serde_json::Value {
    json!({
        "file_path": ground.path("out"),
        "content": "x",
        "sandbox_permissions": "danger-full-access",
        "justification": "it belongs there",
    })
}

/// Fails where `look` waits for the session, and where what a reader saw is not handed on.
#[test]
fn a_question_keeps_no_read_from_its_answer() {
    for store in [false, true] {
        let ground = Ground::new();
        ground.write("a", "one");
        let harness = ground.harness(store.then(|| ground.store()));
        let (person, asked, answer) = Slow::new();
        let agent = agent(&harness, Some(person));
        std::thread::scope(|scope| {
            let writes = scope.spawn(|| call(&agent, "write", wide(&ground)));
            asked.recv().expect("a question");
            assert!(call(&agent, "read", json!({"file_path": "a"})).ok);
            assert!(call(&agent, "list", json!({})).ok);
            assert!(
                agent
                    .policy_text()
                    .expect("a sentence")
                    .contains("workspace")
            );
            answer.send(Decision::AllowedOnce).expect("it waits");
            assert!(writes.join().expect("it returns").ok);
        });
        let edit = json!({"file_path": "a", "old_string": "one", "new_string": "two"});
        let answer = call(&agent, "edit", edit);
        assert!(answer.ok, "{answer:?}");
    }
}

/// Fails where a caller cannot stop waiting for the lane.
#[test]
fn a_change_that_waits_for_another_can_be_withdrawn() {
    let ground = Ground::new();
    let harness = ground.harness(None);
    let (person, asked, answer) = Slow::new();
    let agent = agent(&harness, Some(person));
    std::thread::scope(|scope| {
        let writes = scope.spawn(|| call(&agent, "write", wide(&ground)));
        asked.recv().expect("a question");
        let context = CallContext {
            cancel: Cancel::new(),
        };
        let cancel = context.cancel.clone();
        let waiting = &agent;
        let waits = scope.spawn(move || {
            let args = json!({"file_path": "b", "content": "x"});
            waiting.call("write", &args, &context)
        });
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        assert_eq!(waits.join().expect("it returns").code, Some("FS_ABORTED"));
        answer.send(Decision::Rejected).expect("it waits");
        let refused = writes.join().expect("it returns");
        assert_eq!(refused.code, Some("ESCALATION_REFUSED"));
    });
}
