//! The files that a bug report expects, partly in words.

use serde_json::{Map, Value, json};

/// The files afterwards.
pub(super) fn files(
    repro: &Value,
    expect: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    let mut files = Map::new();
    let refusal = expect
        .get("result")
        .and_then(Value::as_str)
        .unwrap_or("")
        .starts_with("refused");
    for (name, stated) in expect {
        let (path, field) = match name.rsplit_once('.') {
            Some((path, field @ ("hex" | "mode"))) => (path, field),
            _ => (name.as_str(), "text"),
        };
        if name == "result" || (refusal && field == "hex") {
            continue;
        }
        let place = format!("$BASE/{path}");
        let entry = match stated.as_str() {
            None if stated.is_null() => Value::Null,
            Some("absent") => Value::Null,
            Some("still a link") => given_link(repro, path).ok_or("no such link")?,
            Some(text) if text.starts_with("unchanged") => original(repro, path),
            Some(text) if text.contains("(verbatim)") => {
                json!(text.split(" (verbatim)").next().unwrap_or(""))
            }
            Some(text) if plain(name, text) => json!({field: text}),
            _ => return Err(format!("an expectation in words: {name}: {stated}")),
        };
        files.insert(place, entry);
    }
    Ok(files)
}

/// Whether an expectation is a content and no description of one.
fn plain(name: &str, text: &str) -> bool {
    let described = [
        "<",
        "byte-identical",
        "one line changed",
        "absent or",
        "via in-place",
    ];
    !name.contains(' ') && name != "diff" && !described.iter().any(|words| text.contains(words))
}

fn given_link(repro: &Value, path: &str) -> Option<Value> {
    let file = repro["files"]
        .as_array()?
        .iter()
        .find(|file| file["path"] == path)?;
    Some(json!({"link": file["symlink"]}))
}

fn original(repro: &Value, path: &str) -> Value {
    let found = repro["files"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|file| file["path"] == path);
    match found {
        Some(file) if file["hex"].is_string() => json!({"hex": file["hex"]}),
        Some(file) => json!({"text": file["content"]}),
        None => Value::Null,
    }
}
