//! Reads a line of any of the five schemas into a vector.
//!
//! A schema is told by the fields that it alone has. A line that belongs to none, and one
//! that its reader does not understand, is a failed vector and never a passed one.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::case::Case;

mod bug_report;
mod edit;
mod escape;
mod reference;
mod verdicts;
mod weakness;
mod words;

/// Reads one line.
pub fn read(line: &str) -> Result<Case> {
    let value: Value = serde_json::from_str(line).context("a line of JSON")?;
    let has = |field: &str| value.get(field).is_some();
    let mut case = if has("repro") {
        bug_report::read(&value)
    } else if has("tree") {
        escape::read(&value)
    } else if has("files") && has("op") {
        edit::read(&value)
    } else if has("better_result") {
        weakness::read(&value)
    } else if has("do") && has("expect") {
        reference::read(&value)
    } else {
        bail!("a line of no known schema")
    }?;
    line.clone_into(&mut case.line);
    Ok(case)
}

/// The id of a line, as far as it has one.
#[must_use]
pub fn id_of(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    ["id", "ref"]
        .iter()
        .find_map(|field| Some(value[field].as_str()?.to_owned()))
}

fn text(value: &Value, field: &str) -> Result<String> {
    Ok(value[field]
        .as_str()
        .with_context(|| format!("the field `{field}`"))?
        .to_owned())
}
