//! What an agent saved, and another one takes up.

use serde_json::json;

use crate::ground::{Ground, agent, call};

/// More targets than two pages hold, and one of the first seen again at the end: only the
/// end of the memory is saved, and all of it is there. Fails without `restore` in
/// `Main::catch_up`.
#[test]
fn a_large_memory_is_there_again() {
    let ground = Ground::new();
    for number in 0..700 {
        ground.write(&format!("f{number}"), "one");
    }
    let first = agent(&ground.harness(Some(ground.store())), None);
    for number in (0..700).chain([0]) {
        let path = format!("f{number}");
        assert!(call(&first, "read", json!({"file_path": path})).ok);
    }
    let edit = json!({"file_path": "f0", "old_string": "one", "new_string": "two"});
    assert!(call(&first, "edit", edit).ok);
    drop(first);
    let second = agent(&ground.harness(Some(ground.store())), None);
    for (number, old) in [(0, "two"), (1, "one"), (350, "one"), (699, "one")] {
        let path = format!("f{number}");
        let edit = json!({"file_path": path, "old_string": old, "new_string": "three"});
        let answer = call(&second, "edit", edit);
        assert!(answer.ok, "{number}: {answer:?}");
        assert_eq!(ground.content(&path), "three");
    }
}
