//! What a vector needs of a file system that a program may say it lacks.

use serde_json::Value;

use super::Adapter;
use crate::case::Case;

/// Whether the program lacks nothing that the vector is about.
pub(super) fn check(case: &Case, adapter: &Adapter) -> Result<(), String> {
    let needs = [
        ("owners", mentions(case, &["owner", "group"])),
        ("modes", mentions(case, &["mode"]) || performs(case, "mode")),
        (
            "hard-links",
            mentions(case, &["hard"]) || performs(case, "links"),
        ),
        ("special-files", mentions(case, &["fifo"])),
        ("links", mentions(case, &["link"])),
        ("cancellation", mentions(case, &["abort"])),
        ("escaped-names", names_are_escaped(case)),
        ("deny-read", denies_reads(case)),
    ];
    let missing = needs
        .iter()
        .find(|(what, needed)| *needed && adapter.lacks(what));
    match missing {
        Some((what, _)) => Err(format!("{} lacks {what}", adapter.name())),
        None => Ok(()),
    }
}

/// Whether a node of a tree, an operation or an expected file has one of these fields.
fn mentions(case: &Case, fields: &[&str]) -> bool {
    let given = &case.given;
    let trees = [&given.ws, &given.out, &given.base, &case.files];
    let mut nodes = trees.iter().flat_map(|tree| tree.values());
    nodes.any(|node| has(node, fields)) || case.steps.iter().any(|step| has(&step.op, fields))
}

fn has(node: &Value, fields: &[&str]) -> bool {
    // The mode of an escalation or of `set-mode` is none of a file.
    let policy = matches!(node["op"].as_str(), Some("set-mode" | "tool"));
    fields
        .iter()
        .any(|field| node.get(field).is_some() && !(policy && *field == "mode"))
}

fn performs(case: &Case, name: &str) -> bool {
    case.steps
        .iter()
        .any(|step| step.name() == name || (step.name() == "ext" && step.op["do"] == *ext_of(name)))
}

/// The change from outside that sets what an operation looks at.
fn ext_of(name: &str) -> &'static str {
    match name {
        "mode" => "chmod",
        _ => "hard",
    }
}

fn denies_reads(case: &Case) -> bool {
    let policy = case.given.policy.as_ref();
    policy.is_some_and(|policy| !policy.deny_read.is_empty())
}

fn names_are_escaped(case: &Case) -> bool {
    case.line
        .chars()
        .any(|character| ('\u{EF80}'..='\u{EFFF}').contains(&character))
        || case.line.contains("\\uef")
}
