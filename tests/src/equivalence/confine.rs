//! Confinement: what an argv does counts and not how it says so; `/tmp` is the host's.

use std::path::Path;

use serde_json::{Value, json};

use super::Question;
use crate::case::Case;
use crate::places::Places;

/// The argv of the reference, as what it lets be written and what it runs. A root that does
/// not exist contains nothing.
pub(super) fn argv(question: &Question<'_>, mut expect: Value) -> Value {
    if question.name() != "confine" {
        return expect;
    }
    if windows(question) {
        return json!("-");
    }
    let Some(argv) = expect.get("argv").and_then(Value::as_array) else {
        return expect;
    };
    let argv: Vec<String> = argv
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if argv
        .first()
        .is_some_and(|program| program == "sandbox-exec")
    {
        expect["argv"] = json!(seatbelt(&argv));
        return expect;
    }
    let end = argv
        .iter()
        .position(|word| word == "--")
        .unwrap_or(argv.len());
    let mut writable = crate::tier::writable_of(&argv[..end]);
    writable.retain(|place| Path::new(place).is_dir());
    expect["writable"] = json!(writable);
    expect["command"] = json!(argv[(end + 1).min(argv.len())..]);
    if let Some(fields) = expect.as_object_mut() {
        fields.remove("argv");
    }
    expect
}

/// The program by its path, and without the roots that do not exist.
fn seatbelt(argv: &[String]) -> Vec<String> {
    let mut ours = argv.to_vec();
    ours[0] = "/usr/bin/sandbox-exec".to_owned();
    if let Some(profile) = ours.get_mut(2) {
        let parts: Vec<&str> = profile.split(" (subpath \"").collect();
        let there = |part: &&&str| {
            let path = part.split('"').next().unwrap_or("");
            Path::new(path).is_dir()
        };
        let kept: Vec<&str> = parts[1..].iter().filter(there).copied().collect();
        let end = if parts.len() > 1 && !kept.iter().any(|part| part.ends_with("))")) {
            ")"
        } else {
            ""
        };
        let kept = kept.iter().map(|part| format!(" (subpath \"{part}"));
        *profile = std::iter::once(parts[0].to_owned())
            .chain(kept)
            .collect::<String>()
            + end;
    }
    ours
}

/// The backend of Windows is out of scope.
fn windows(question: &Question<'_>) -> bool {
    question.op["host"]["windows"] == true || question.op["backend"] == "windows-acl"
}

/// A denial in the words of Windows is nobody's here.
pub(super) fn denial(question: &Question<'_>, expect: Value) -> Value {
    if question.name() == "classify-denial" && windows(question) {
        return json!("-");
    }
    expect
}

/// Refusals by code, in our own words and without a class of the reference.
pub(super) fn refusal(question: &Question<'_>, mut expect: Value) -> Value {
    if !matches!(question.name(), "confine" | "unavailable-error" | "load") {
        return expect;
    }
    if expect["refused"].is_string() {
        return json!({"refused": "<any>"});
    }
    if let Some(fields) = expect.as_object_mut() {
        fields.remove("name");
    }
    expect
}

/// What a command left in `/tmp` is there: `echo TEXT > PATH` of a run.
pub(super) fn shared_tmp(
    case: &Case,
    places: &Places,
    place: &Path,
    expect: &Value,
) -> Option<Value> {
    if !expect.is_null() || !place.starts_with("/tmp") {
        return None;
    }
    let mut commands = case
        .steps
        .iter()
        .filter_map(|step| step.op["command"].as_str());
    let told = format!(" > {}", place.display());
    let text = commands.find_map(|command| {
        let command = places.fill(command);
        let (before, _) = command.split_once(&told)?;
        Some(before.strip_prefix("echo ")?.to_owned())
    });
    text.map(|text| json!(format!("{text}\n")))
}
