//! One vector: what is given, what is done, what must come of it.
//!
//! The fields are those of the reference schema (`tests/README.md` describes them); a
//! dialect turns a line of any other schema into this before anything runs.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::tier::Tier;

/// A tree: a path relative to its directory, and what is there.
pub type Tree = Map<String, Value>;

/// One vector, ready to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Unique over all files.
    pub id: String,
    /// The circumstances.
    pub given: Given,
    /// The operations, in order.
    pub steps: Vec<Step>,
    /// The files afterwards: path to expectation.
    pub files: Tree,
    /// Whether nothing at all below the base may have changed.
    pub unchanged: bool,
    /// The feature of a later issue without which the vector cannot run.
    pub needs: Option<String>,
    /// Where it runs; everywhere it can where absent.
    pub tiers: Option<Vec<Tier>>,
    /// Whether the expectations are ours to the letter, so that nothing is translated.
    pub exact: bool,
    /// The line it came from, for a process that runs it again.
    pub line: String,
}

/// One operation and the result it must have.
#[derive(Clone, Debug)]
pub struct Step {
    /// The operation.
    pub op: Value,
    /// The expected result.
    pub expect: Value,
}

impl Step {
    /// An operation with its expectation.
    #[must_use]
    pub fn new(op: Value, expect: Value) -> Self {
        Self { op, expect }
    }

    /// The name of the operation.
    #[must_use]
    pub fn name(&self) -> &str {
        self.op["op"].as_str().unwrap_or("")
    }
}

/// The circumstances of a vector. A field that is not known here fails the vector.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Given {
    /// The tree of `$WS`.
    pub ws: Tree,
    /// The tree of `$OUT`.
    pub out: Tree,
    /// The tree of `$BASE`, over both.
    pub base: Tree,
    /// The policy of the deployment; absent where the bare provider is meant.
    pub policy: Option<PolicyGiven>,
    /// Whether the read-first gate decides; otherwise nothing is demanded.
    pub gate: bool,
    /// What a person answers to every question.
    pub approval: Option<String>,
    /// The limits of a read, by the names of the reference.
    pub tool_config: Option<Value>,
    /// The directory of the session: absent means `$WS`, null means none.
    #[serde(deserialize_with = "stated")]
    pub session_cwd: Option<Option<String>>,
    /// Run as an ordinary user.
    pub unprivileged: bool,
    /// Run only by root: the expectation holds for root alone.
    pub privileged: bool,
    /// The limit of reported texts, in bytes.
    #[serde(rename = "diffLimit")]
    pub diff_limit: Option<u64>,
    /// Selects the workspace registry.
    pub domain: Option<Value>,
    /// Selects the editor tool.
    pub editor: Option<Value>,
}

/// The policy of the deployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct PolicyGiven {
    /// The mode; `read-only` where absent.
    pub mode: Option<String>,
    /// The root; `$WS` where absent.
    pub workspace_root: Option<String>,
    /// Further writable roots.
    pub extra_roots: Vec<String>,
}

/// Keeps a null that was written apart from a field that was left out.
fn stated<'de, D>(deserializer: D) -> Result<Option<Option<String>>, D::Error>
where
    D: serde::Deserializer<'de>,
{
    Option::<String>::deserialize(deserializer).map(Some)
}
