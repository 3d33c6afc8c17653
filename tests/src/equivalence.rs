//! The deliberate differences from the reference, as code.

use serde_json::Value;

use crate::case::Case;
use crate::places::Places;

/// A result that is not what the reference would answer.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The vector.
    pub case: &'a Case,
    /// The operation.
    pub op: &'a Value,
    /// Where it runs.
    pub places: &'a Places,
}

/// What we answer where the reference answers `expect`.
#[must_use]
pub fn result(_question: &Question<'_>, _expect: &Value, _found: &Value) -> Vec<Value> {
    Vec::new()
}

/// What we leave where the reference leaves `expect`.
#[must_use]
pub fn file(_case: &Case, _path: &str, _expect: &Value) -> Vec<Value> {
    Vec::new()
}
