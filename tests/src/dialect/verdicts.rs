//! The verdicts of the other schemas, as results of ours.

use anyhow::{Result, bail};
use serde_json::{Value, json};

/// The result that a kind of error stands for (`edit-cases` and `escape-cases`).
pub(super) fn of_kind(kind: &str) -> Result<Value> {
    let codes: &[&str] = match kind {
        "not-observed" => &["FS_NOT_OBSERVED"],
        "stale" => &["FS_STALE_VERSION"],
        "text-not-found" => &["FS_EDIT_NOT_FOUND"],
        "ambiguous" => &["FS_AMBIGUOUS_EDIT"],
        "not-text" => &["FS_NOT_TEXT"],
        "exists" => &["FS_NOT_OBSERVED", "FS_STALE_VERSION"],
        "not-found" | "loop" | "name-too-long" => &["FS_NOT_FOUND"],
        "is-directory" => &["FS_NOT_REGULAR_FILE", "FS_NOT_FOUND"],
        "not-regular" => &["FS_NOT_REGULAR_FILE"],
        "not-directory" => &["FS_NOT_FOUND", "FS_NOT_DIRECTORY"],
        "permission" | "hard-linked" => &["FS_PERMISSION_DENIED"],
        "io" => &["FS_IO_ERROR"],
        "invalid" => &["INVALID_ARGUMENTS"],
        "invalid-path" => &["FS_NOT_FOUND", "INVALID_ARGUMENTS"],
        "denied" => &["FS_SANDBOX_DENIED"],
        other => bail!("the kind of error `{other}` is not known"),
    };
    Ok(fails(codes))
}

/// A failure with one of these codes.
pub(super) fn fails(codes: &[&str]) -> Value {
    match codes {
        [code] => json!({"fails": code}),
        several => json!({"fails": {"one_of": several}}),
    }
}

/// A success, whatever it answers.
pub(super) fn succeeds() -> Value {
    json!("<ok>")
}

/// Any failure.
pub(super) fn refused() -> Value {
    json!({"fails": "<any>"})
}
