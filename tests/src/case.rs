//! One vector: what is given, what is done, what must come of it.
//!
//! The fields are those of the reference schema (`tests/README.md` describes them); a
//! dialect turns a line of any other schema into this before anything runs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

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
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Given {
    /// The tree of `$WS`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub ws: Tree,
    /// The tree of `$OUT`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub out: Tree,
    /// The tree of `$BASE`, over both.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub base: Tree,
    /// The policy of the deployment; absent where the bare provider is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyGiven>,
    /// Whether the read-first gate decides; otherwise nothing is demanded.
    #[serde(skip_serializing_if = "is_false")]
    pub gate: bool,
    /// The gate for tests that decides in the place of the shipped one: `open-gate`, or
    /// `chain-gate` with the shipped one as its next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// What a person answers to every question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// The limits of a read, by the names of the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_config: Option<Value>,
    /// The directory of the session: absent means `$WS`, null means none.
    #[serde(deserialize_with = "stated", skip_serializing_if = "Option::is_none")]
    pub session_cwd: Option<Option<String>>,
    /// Run as an ordinary user.
    #[serde(skip_serializing_if = "is_false")]
    pub unprivileged: bool,
    /// Run only by root: the expectation holds for root alone.
    #[serde(skip_serializing_if = "is_false")]
    pub privileged: bool,
    /// The limit of reported texts, in bytes.
    #[serde(rename = "diffLimit")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_limit: Option<u64>,
    /// Selects the workspace registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<Value>,
    /// Selects the editor tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub editor: Option<Value>,
}

/// The policy of the deployment.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct PolicyGiven {
    /// The mode; `read-only` where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The root; `$WS` where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_root: Option<String>,
    /// Further writable roots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra_roots: Vec<String>,
    /// Sub-paths that stay read-only beneath every root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<String>,
    /// Globs of content that nobody reads; an absolute one may begin with a place (`$BASE`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny_read: Vec<String>,
    /// Whether the temporary directories are writable roots, as they are by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temporary: Option<bool>,
}

/// Keeps a null that was written apart from a field that was left out.
fn stated<'de, D>(deserializer: D) -> Result<Option<Option<String>>, D::Error>
where
    D: serde::Deserializer<'de>,
{
    Option::<String>::deserialize(deserializer).map(Some)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

impl Case {
    /// The vector in the format of `tests/README.md`.
    #[must_use]
    pub fn written(&self) -> Value {
        let ops: Vec<&Value> = self.steps.iter().map(|step| &step.op).collect();
        let results: Vec<&Value> = self.steps.iter().map(|step| &step.expect).collect();
        let mut written = json!({
            "id": self.id,
            "given": self.given,
            "do": ops,
            "expect": {"results": results},
        });
        if !self.files.is_empty() {
            written["expect"]["files"] = json!(self.files);
        }
        for (field, value) in [("exact", self.exact), ("unchanged", self.unchanged)] {
            let place = if field == "exact" {
                &mut written
            } else {
                &mut written["expect"]
            };
            if value {
                place[field] = json!(true);
            }
        }
        if let Some(needs) = &self.needs {
            written["needs"] = json!(needs);
        }
        written
    }
}
