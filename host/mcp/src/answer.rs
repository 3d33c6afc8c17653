//! The answer of a tool, as the protocol carries it.

use dsh_fs::error::Code;
use dsh_fs_runtime::Answer;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::wording;

/// The text that the model reads, and the same as a value: of a failure, its code.
pub(crate) fn result(answer: Answer) -> CallToolResult {
    let value = match answer.code {
        None => answer.value.unwrap_or_else(|| json!({})),
        Some(code) => failure(code, &answer),
    };
    let content = vec![ContentBlock::text(answer.text)];
    let mut result = if answer.ok {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    result.structured_content = Some(value);
    result
}

/// The refusal of a mutation while the client has not named its roots.
pub(crate) fn roots_unknown() -> Answer {
    Answer {
        ok: false,
        code: Some(Code::SandboxDenied.name()),
        text: wording::roots_unknown(),
        value: None,
    }
}

/// A failure may have facts of its own, as a command that ended with an exit code has.
fn failure(code: &str, answer: &Answer) -> Value {
    let mut value = match &answer.value {
        Some(Value::Object(facts)) => facts.clone(),
        _ => serde_json::Map::new(),
    };
    value.insert("code".into(), code.into());
    value.insert("message".into(), answer.text.as_str().into());
    Value::Object(value)
}
