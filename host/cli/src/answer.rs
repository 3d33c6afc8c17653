//! An answer as one JSON object.

use dsh_fs_runtime::Answer;
use serde_json::{Map, Value};

/// The fields of an answer, in the order a person reads them.
pub(crate) fn fields(answer: Answer) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("ok".into(), answer.ok.into());
    if let Some(code) = answer.code {
        fields.insert("code".into(), code.into());
    }
    fields.insert("text".into(), answer.text.into());
    if let Some(value) = answer.value {
        fields.insert("value".into(), value);
    }
    fields
}
