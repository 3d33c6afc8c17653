//! What the model reads: the footer says more than the reference's, an ambiguous edit
//! names its lines, and languages are a matter of views.

use serde_json::{Value, json};

use super::Question;

/// The end of what a read shows.
const END: &str = "\n</content>";

/// The most characters of a line, as shipped.
const SHIPPED: usize = 2_000;

/// The footer says what the lines do not show, computed here from the file.
pub(super) fn footer(question: &Question<'_>, mut expect: Value) -> Value {
    let bytes = question.facts.content.clone();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let (Some(text), Some(shown)) = (text, expect["text"].as_str()) else {
        return expect;
    };
    let Some(body) = shown
        .strip_suffix(END)
        .filter(|_| question.name() == "read")
    else {
        return expect;
    };
    let facts = facts(question, &text, body);
    expect["text"] = json!(format!("{body}{facts}{END}"));
    expect
}

fn facts(question: &Question<'_>, text: &str, body: &str) -> String {
    let config = question.case.given.tool_config.as_ref();
    let limit = config.and_then(|config| config["readMaxLineLength"].as_u64());
    let limit = limit
        .and_then(|limit| usize::try_from(limit).ok())
        .unwrap_or(SHIPPED);
    let mut facts = cut_lines(text, body, limit);
    let (all, pairs) = (text.matches('\n').count(), text.matches("\r\n").count());
    facts.push_str(match (all, pairs) {
        (_, 0) => "",
        (all, pairs) if all == pairs => "\n(Line endings are CRLF.)",
        _ => "\n(Line endings are mixed, LF and CRLF.)",
    });
    if text.starts_with('\u{feff}') {
        facts.push_str("\n(The file begins with a byte order mark.)");
    }
    if body.contains("(End of file") && !text.is_empty() && !text.ends_with('\n') {
        facts.push_str("\n(No newline at end of file)");
    }
    facts
}

fn cut_lines(text: &str, body: &str, limit: usize) -> String {
    let shown = |number: usize| body.contains(&format!("\n{number}: "));
    let cut: Vec<usize> = (1..)
        .zip(text.lines())
        .filter(|(number, line)| line.chars().count() > limit && shown(*number))
        .map(|(number, _)| number)
        .collect();
    let Some(first) = cut.first() else {
        return String::new();
    };
    let named: Vec<String> = cut.iter().take(5).map(usize::to_string).collect();
    let more = if cut.len() > 5 { " and more" } else { "" };
    let column = limit + 1;
    format!(
        "\n(Cut lines: {}{more}. Use offset={first} column={column} to read on.)",
        named.join(", ")
    )
}

/// An ambiguous edit names the lines after the sentence of the reference.
pub(super) fn ambiguous(_: &Question<'_>, mut expect: Value) -> Value {
    if expect["fails"] == "FS_AMBIGUOUS_EDIT"
        && let Some(text) = expect["text"].as_str()
    {
        expect["text"] = json!({"contains": text});
    }
    expect
}

/// The language of a file is a matter of views.
pub(super) fn language(question: &Question<'_>, mut expect: Value) -> Value {
    let meta = expect.get_mut("meta").and_then(Value::as_object_mut);
    if let ("read", Some(meta)) = (question.name(), meta) {
        meta.remove("lang");
    }
    expect
}
