//! The results of a bug report, which are told in words.

use serde_json::{Map, Value, json};

use crate::case::Step;
use crate::dialect::verdicts::{fails, refused, succeeds};

/// Applies a result in words to the operations.
pub(super) fn judge(steps: &mut [Step], words: &str) -> Result<(), String> {
    let stale = fails(&["FS_STALE_VERSION"]);
    match words {
        "ok" | "allowed on a case-sensitive file system" => last(steps, succeeds()),
        "ok if unchanged on disk, by documented choice" => last(steps, succeeds()),
        "the read passes; mutations are fenced" => {
            last(
                steps,
                json!({"one_of": ["<ok>", {"fails": "FS_NOT_FOUND"}]}),
            );
        }
        "both ok, or one explicit conflict" => {
            last(steps, json!({"ok": 2, "codes": []}));
        }
        "both ok" | "all ok" => {
            for step in steps.iter_mut().filter(|step| step.op["op"] == "tool") {
                step.expect = succeeds();
            }
        }
        "refused" | "refused with the hint" => last(steps, refused()),
        "all or nothing, names the failing part" => {
            last(
                steps,
                json!({"fails": "FS_EDIT_NOT_FOUND", "text": {"contains": "Edit "}}),
            );
        }
        "refused: not observed" | "FS_NOT_OBSERVED" => last(steps, fails(&["FS_NOT_OBSERVED"])),
        "stale" | "A: stale" | "B's write is stale" | "parent: stale, names the child" => {
            last(steps, stale);
        }
        "denied" | "denied with a message that shows the root" => {
            last(steps, fails(&["FS_SANDBOX_DENIED"]));
        }
        "not-regular" | "not-regular at once" => last(steps, fails(&["FS_NOT_REGULAR_FILE"])),
        "second: not found" => last(steps, fails(&["FS_EDIT_NOT_FOUND"])),
        "not permitted" => last(steps, fails(&["FS_PERMISSION_DENIED", "FS_SANDBOX_DENIED"])),
        "both not-text" => {
            first(steps, fails(&["FS_NOT_TEXT"]));
            last(steps, fails(&["FS_NOT_TEXT", "FS_NOT_OBSERVED"]));
        }
        "first edit stale, after the read ok" => {
            let edit = steps.iter_mut().find(|step| step.op["name"] == "edit");
            edit.ok_or("no edit")?.expect = stale;
            last(steps, succeeds());
        }
        "directory, on every code path" => {
            // The reference cases say that it is the link; what is asked is one answer.
            last(steps, json!({"type": {"one_of": ["directory", "symlink"]}}));
        }
        other => return phrase(steps, other),
    }
    Ok(())
}

/// Results of which the beginning or a part says what is meant.
fn phrase(steps: &mut [Step], words: &str) -> Result<(), String> {
    let reads = steps.last().is_some_and(|step| step.op["name"] == "read");
    if words.starts_with("an unread existing file: refused with FS_NOT_OBSERVED") {
        last(steps, fails(&["FS_NOT_OBSERVED"]));
    } else if words.starts_with("an unread existing file, and the asked mode is not strictly wider")
        || words.starts_with("refused, or ")
    {
        last(steps, refused());
    } else if words.starts_with("ambiguous: ") {
        last(steps, fails(&["FS_AMBIGUOUS_EDIT"]));
    } else if words.starts_with("not found") && reads {
        last(steps, fails(&["FS_NOT_FOUND"]));
    } else if words.starts_with("not found") {
        last(steps, fails(&["FS_EDIT_NOT_FOUND"]));
    } else if reads && words.ends_with("\\n") && !words.contains(' ') {
        let shown = words.trim_end_matches("\\n");
        last(
            steps,
            json!({"text": {"contains": format!("1: {shown}\n")}}),
        );
    } else {
        return Err(format!("an expectation in words: {words}"));
    }
    Ok(())
}

/// Without a result in words: the last operation succeeds where files are to change.
pub(super) fn succeeds_if(repro: &Value, expect: &Map<String, Value>) -> Value {
    let kept = repro["files"].as_array().into_iter().flatten().any(|file| {
        let path = file["path"].as_str().unwrap_or("");
        expect
            .get(path)
            .is_some_and(|new| *new == file["content"] || unchanged(new))
    });
    if kept { json!("-") } else { succeeds() }
}

fn unchanged(stated: &Value) -> bool {
    stated
        .as_str()
        .is_some_and(|text| text.starts_with("unchanged"))
}

pub(super) fn last(steps: &mut [Step], expect: Value) {
    if let Some(step) = steps.last_mut() {
        step.expect = expect;
    }
}

fn first(steps: &mut [Step], expect: Value) {
    if let Some(step) = steps.first_mut() {
        step.expect = expect;
    }
}
