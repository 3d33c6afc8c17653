//! Compares a result with what a vector expects of it.
//!
//! `"-"` is ignored, `"<any>"` accepts anything that is there, `"<ok>"` anything but a
//! failure; `{"contains": s}` is a part of a text; `{"one_of": [...]}` is any of several; an
//! object matches when every named field does (more fields are allowed); an array matches
//! in full; a `version` that is `"string"` is any.

use serde_json::Value;

/// Where a result differs from what is expected; nothing where it does not.
#[must_use]
pub fn difference(expect: &Value, found: &Value) -> Option<String> {
    match expect {
        Value::String(text) if text == "-" || text == "<any>" => None,
        Value::String(text) if text == "<ok>" => {
            found.get("fails").is_some().then(|| apart(expect, found))
        }
        Value::Object(fields) if fields.contains_key("contains") => part(expect, found),
        Value::Object(fields) if fields.contains_key("one_of") => choice(expect, found),
        Value::Object(fields) => {
            if !found.is_object() || missing(fields, found) {
                return Some(apart(expect, found));
            }
            fields.iter().find_map(|(name, field)| {
                let part = found.get(name).unwrap_or(&Value::Null);
                let kind = name == "version" && field == "string" && part.is_string();
                if kind {
                    return None;
                }
                difference(field, part).map(|reason| format!(".{name}{}", below(&reason)))
            })
        }
        Value::Array(items) => list(items, expect, found),
        other => (!same(other, found)).then(|| format!(": {}", apart(expect, found))),
    }
    .map(|reason| reason.trim_start_matches(": ").to_owned())
}

/// Whether a failure is expected and none is there, or something that is not there at all
/// is expected to be anything.
fn missing(fields: &serde_json::Map<String, Value>, found: &Value) -> bool {
    fields
        .iter()
        .any(|(name, field)| (name == "fails" || field == "<any>") && found.get(name).is_none())
}

fn list(items: &[Value], expect: &Value, found: &Value) -> Option<String> {
    let Some(there) = found.as_array().filter(|there| there.len() == items.len()) else {
        return Some(apart(expect, found));
    };
    items
        .iter()
        .zip(there)
        .enumerate()
        .find_map(|(at, (item, part))| {
            difference(item, part).map(|reason| format!("[{at}]{}", below(&reason)))
        })
}

fn below(reason: &str) -> String {
    if reason.starts_with(['.', '[']) {
        reason.to_owned()
    } else {
        format!(": {reason}")
    }
}

fn part(expect: &Value, found: &Value) -> Option<String> {
    let wanted = expect["contains"].as_str().unwrap_or_default();
    let holds = found.as_str().is_some_and(|text| text.contains(wanted));
    (!holds).then(|| apart(expect, found))
}

fn choice(expect: &Value, found: &Value) -> Option<String> {
    let choices = expect["one_of"].as_array()?;
    let fits = choices
        .iter()
        .any(|choice| difference(choice, found).is_none());
    (!fits).then(|| apart(expect, found))
}

/// Numbers are compared by value, so that 1 and 1.0 are the same.
fn same(expect: &Value, found: &Value) -> bool {
    match (expect.as_f64(), found.as_f64()) {
        (Some(left), Some(right)) => left == right,
        _ => expect == found,
    }
}

fn apart(expect: &Value, found: &Value) -> String {
    format!("expected {}, found {}", short(expect), short(found))
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 600 {
        return text;
    }
    text.chars().take(600).chain("...".chars()).collect()
}
