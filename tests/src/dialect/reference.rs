//! The schema of the reference cases, which is also the schema of our own vectors.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::text;
use crate::case::{Case, Given, Step};
use crate::tier::Tier;

/// What a vector may say at its top.
const FIELDS: [&str; 14] = [
    "id",
    "area",
    "why",
    "given",
    "do",
    "expect",
    "verified",
    "unverified",
    "needs",
    "differs",
    "tiers",
    "source",
    "exact",
    "note",
];

/// Reads a reference case or a vector of ours.
pub(super) fn read(value: &Value) -> Result<Case> {
    let fields = value.as_object().context("an object")?;
    if let Some(unknown) = fields
        .keys()
        .find(|field| !FIELDS.contains(&field.as_str()))
    {
        bail!("the field `{unknown}` is not known");
    }
    let given: Given = serde_json::from_value(value["given"].clone()).context("`given`")?;
    let needs = match value["needs"].as_str() {
        Some(needs) => Some(needs.to_owned()),
        None => elsewhere(&given, value),
    };
    let tiers: Option<Vec<Tier>> = match value.get("tiers") {
        Some(tiers) => Some(serde_json::from_value(tiers.clone()).context("`tiers`")?),
        None => None,
    };
    Ok(Case {
        id: text(value, "id")?,
        steps: steps(value)?,
        files: value["expect"]["files"]
            .as_object()
            .cloned()
            .unwrap_or_else(Map::new),
        unchanged: value["expect"]["unchanged"] == true,
        given,
        needs,
        tiers,
        exact: value["exact"] == true,
        line: String::new(),
    })
}

/// What later issues bring, told by the circumstances alone.
fn elsewhere(given: &Given, value: &Value) -> Option<String> {
    if given.editor.is_some() {
        return Some("the str_replace_editor tool (out of scope)".to_owned());
    }
    if given.diff_limit.is_some() {
        return Some("a limit on reported texts".to_owned());
    }
    // The real runs of macOS cannot be told from those of Linux but by this word.
    let macos = value["unverified"]
        .as_str()
        .is_some_and(|why| why.contains("macOS"));
    macos.then(|| "the operating system macos".to_owned())
}

fn steps(value: &Value) -> Result<Vec<Step>> {
    let ops = value["do"].as_array().context("`do` is a list")?;
    let results = value["expect"]["results"]
        .as_array()
        .context("`expect.results` is a list")?;
    if ops.len() != results.len() {
        bail!("{} operations and {} results", ops.len(), results.len());
    }
    Ok(ops
        .iter()
        .zip(results)
        .map(|(op, result)| Step::new(op.clone(), result.clone()))
        .collect())
}
