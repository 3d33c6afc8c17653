//! Writes and edits on open files, as a vector asks for them.

use anyhow::{Context, Result};
use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::sandbox::Files;
use dsh_fs::types::{Edit, EditGuard, Mutation, Report, Target, WriteGuard};
use serde_json::Value;

use crate::content;
use crate::places::Places;

/// What an operation demands.
pub(super) enum Demand {
    /// Nothing is there.
    Create,
    /// This version is there.
    Version(String),
}

/// Performs a write or an edit; the texts before and after are reported.
pub(super) fn perform(
    files: &Files,
    target: &Target,
    op: &Value,
    demand: Option<Demand>,
    places: &Places,
    cancel: &Cancel,
) -> Result<Result<Mutation, Error>> {
    let report = Report {
        hunks: false,
        texts: true,
    };
    if op["op"] == "edit" {
        let guard = match demand {
            Some(Demand::Version(version)) => EditGuard::IfVersion(version),
            Some(Demand::Create) => EditGuard::IfVersion("create".to_owned()),
            None => EditGuard::Unconditional,
        };
        let edit = Edit {
            old_text: text(op, "old", places)?,
            new_text: text(op, "new", places)?,
            replace_all: op["all"] == true,
        };
        return Ok(files.edit_text(target, &edit, &guard, report, cancel));
    }
    let guard = match demand {
        Some(Demand::Create) => WriteGuard::CreateIfAbsent,
        Some(Demand::Version(version)) => WriteGuard::ReplaceIfVersion(version),
        None => WriteGuard::Unconditional,
    };
    let content = text(op, "content", places)?;
    Ok(files.write_text(target, &content, &guard, report, cancel))
}

fn text(op: &Value, field: &str, places: &Places) -> Result<String> {
    let value = op
        .get(field)
        .with_context(|| format!("the field {field}"))?;
    String::from_utf8(content::bytes(&places.fill_value(value))?).context("content is text")
}
