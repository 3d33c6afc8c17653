//! A window of a text in memory, read by guest/text.

use anyhow::{Context, Result};
use dsh_fs_text::window::{Wanted, WindowReader};
use serde_json::{Value, json};

use super::Stage;
use crate::case::{Case, Step};

/// Whether a vector asks for nothing else.
pub(super) fn can(case: &Case) -> bool {
    case.steps.iter().all(|step| step.name() == "window")
}

/// Reads windows: `content`, `offset`, `max_bytes`.
pub(super) struct Windows;

impl Stage for Windows {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        let mut reader = WindowReader::new(wanted(step));
        reader.feed(step.op["content"].as_str().context("a content")?);
        let window = reader.finish();
        told(
            window.first_line,
            &window.text,
            &json!(window.total_lines),
            &json!(window.capped),
        )
    }
}

/// The window that an operation asks for.
pub(super) fn wanted(step: &Step) -> Wanted {
    let number = |field: &str, usual: u32| {
        let stated = step.op[field]
            .as_u64()
            .and_then(|stated| u32::try_from(stated).ok());
        stated.unwrap_or(usual)
    };
    Wanted {
        first_line: number("offset", 1),
        first_column: 1,
        max_lines: 2_000,
        max_bytes: number("max_bytes", 51_200),
        max_line_chars: 2_000,
    }
}

/// A window as vectors state it.
pub(super) fn told(first: u32, text: &str, total: &Value, capped: &Value) -> Result<Value> {
    let numbered = (first..).zip(text.split_terminator('\n'));
    let lines: Vec<Value> = numbered
        .map(|(number, text)| json!({"number": number, "text": text}))
        .collect();
    Ok(json!({"lines": lines, "totalLines": total, "truncatedByBytes": capped}))
}
