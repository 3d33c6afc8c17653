//! Texts: how matches are counted, what is text, where lines are cut, what stays.

use serde_json::{Value, json};

use super::Question;
use crate::case::Case;
use crate::content;

/// Matches are counted with overlap.
pub(super) fn overlap(question: &Question<'_>, expect: Value) -> Value {
    let args = if question.is_tool() {
        &question.op["args"]
    } else {
        question.op
    };
    let old = args["old_string"]
        .as_str()
        .or_else(|| args["old"].as_str())
        .unwrap_or("");
    let all = args["replace_all"] == true || args["all"] == true;
    let Some(text) = text_of(question) else {
        return expect;
    };
    let apart = text.matches(old).count();
    if question.name() != "edit" || old.is_empty() || all || apart == overlapping(&text, old) {
        return expect;
    }
    let other = expect
        .get("fails")
        .is_some_and(|code| code != "FS_AMBIGUOUS_EDIT");
    if let Some(message) = expect["message"].as_str() {
        let counted = format!("matched {} times", overlapping(&text, old));
        let ours = message.replace(&format!("matched {apart} times"), &counted);
        return json!({"fails": "FS_AMBIGUOUS_EDIT", "message": ours});
    }
    if other {
        expect
    } else {
        json!({"fails": "FS_AMBIGUOUS_EDIT"})
    }
}

fn overlapping(text: &str, old: &str) -> usize {
    text.char_indices()
        .filter(|(at, _)| text[*at..].starts_with(old))
        .count()
}

/// NUL means not text, wherever it is.
pub(super) fn nul_anywhere(question: &Question<'_>, expect: Value) -> Value {
    let reads = ["read", "read-text", "stream-text", "edit"].contains(&question.name());
    let nul = question
        .facts
        .content
        .as_ref()
        .is_some_and(|bytes| bytes.contains(&0));
    if reads && nul && expect.get("fails").is_none() {
        return json!({"fails": "FS_NOT_TEXT"});
    }
    expect
}

/// Line limits count characters and never split one.
pub(super) fn characters(question: &Question<'_>, mut expect: Value) -> Value {
    let config = question.case.given.tool_config.as_ref();
    let limit = config.and_then(|config| config["readMaxLineLength"].as_u64());
    let (Some(limit), Some(shown)) = (limit, expect["text"].as_str()) else {
        return expect;
    };
    let Some(text) = text_of(question) else {
        return expect;
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let lines: Vec<&str> = text.lines().collect();
    let ours = shown.lines().map(|line| {
        let number = line
            .split_once(": ")
            .and_then(|(number, _)| number.parse::<usize>().ok());
        match number.and_then(|number| Some((number, lines.get(number.checked_sub(1)?)?))) {
            Some((number, text)) => format!("{number}: {}", cut(text, limit)),
            None => line.to_owned(),
        }
    });
    expect["text"] = json!(ours.collect::<Vec<_>>().join("\n"));
    expect
}

fn cut(line: &str, limit: usize) -> String {
    if line.chars().count() <= limit {
        return line.to_owned();
    }
    let kept: String = line.chars().take(limit).collect();
    format!("{kept}... (line truncated to {limit} chars)")
}

/// The texts before and after are reported as they are stored.
pub(super) fn as_stored(question: &Question<'_>, mut expect: Value) -> Value {
    let Some(text) = text_of(question).filter(|text| text.contains("\r\n")) else {
        return expect;
    };
    let whole = text.matches('\n').count() == text.matches("\r\n").count();
    if question.name() != "edit" || !whole {
        return expect;
    }
    for field in ["before", "after"] {
        if let Some(normal) = expect[field].as_str() {
            expect[field] = json!(normal.replace("\r\n", "\n").replace('\n', "\r\n"));
        }
    }
    expect
}

/// A window always makes progress: it is never empty because of its byte limit.
pub(super) fn progress(question: &Question<'_>, mut expect: Value) -> Value {
    let empty = expect["lines"].as_array().is_some_and(Vec::is_empty);
    if let ("window", true, Some(fields)) = (question.name(), empty, expect.as_object_mut()) {
        fields.remove("lines");
    }
    expect
}

/// The file with one edit applied to its bytes: what an edit that changes nothing else
/// leaves, where the reference drops a byte order mark or unites line endings.
pub(super) fn untouched(case: &Case, path: &str) -> Option<Value> {
    let given = content::bytes(case.given.ws.get(path)?).ok()?;
    let mut edits = case
        .steps
        .iter()
        .filter(|step| step.op["name"] == "edit" || step.op["op"] == "edit");
    let (edit, None) = (edits.next()?, edits.next()) else {
        return None;
    };
    let args = if edit.op["op"] == "tool" {
        &edit.op["args"]
    } else {
        &edit.op
    };
    let old = args["old_string"]
        .as_str()
        .or_else(|| args["old"].as_str())?;
    let new = args["new_string"]
        .as_str()
        .or_else(|| args["new"].as_str())?;
    let text = String::from_utf8(given).ok()?;
    let plain = !old.contains('\n') && !new.contains('\n');
    let odd = text.contains('\r') || text.starts_with('\u{feff}');
    (plain && odd && text.matches(old).count() == 1)
        .then(|| json!({"text": text.replacen(old, new, 1)}))
}

fn text_of(question: &Question<'_>) -> Option<String> {
    String::from_utf8(question.facts.content.clone()?).ok()
}
