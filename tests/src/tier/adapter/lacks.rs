//! What a vector needs of a file system that a program may say it lacks.

use serde_json::Value;

use super::Adapter;
use crate::case::{Case, Step};
use crate::tier::sessions::name_of;

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
        ("absolute-links", links_are_absolute(case)),
        ("approval", case.given.approval.is_some()),
        ("limits", case.given.tool_config.is_some()),
        (
            "calls-without-a-session",
            any(case, |step| step.op["agentless"] == true),
        ),
        ("several-sessions", sessions_are_named(case)),
        (
            "session-state",
            any(case, |step| STATE.contains(&step.name())),
        ),
        ("further-roots", further_roots(case)),
    ];
    let missing = needs
        .iter()
        .find(|(what, needed)| *needed && adapter.lacks(what));
    match missing {
        Some((what, _)) => Err(format!("{} lacks {what}", adapter.name())),
        None => Ok(()),
    }
}

/// Operations on what a session keeps, or on its mode.
const STATE: [&str; 8] = [
    "resume",
    "fork",
    "policy",
    "policy-text",
    "sandbox-mode",
    "set-mode",
    "mode-events",
    "approvals",
];

fn any(case: &Case, is: impl Fn(&Step) -> bool) -> bool {
    case.steps.iter().any(is)
}

/// Whether calls are made by more than one session.
fn sessions_are_named(case: &Case) -> bool {
    let mut names = case.steps.iter().map(|step| name_of(&step.op));
    let first = names.next();
    names.any(|name| Some(name) != first)
}

fn links_are_absolute(case: &Case) -> bool {
    let given = &case.given;
    let trees = [&given.ws, &given.out, &given.base];
    let nodes = trees.iter().flat_map(|tree| tree.values());
    let made = case.steps.iter().filter(|step| step.op["do"] == "link");
    let texts = nodes
        .map(|node| &node["link"])
        .chain(made.map(|step| &step.op["to"]));
    let mut texts = texts.filter_map(Value::as_str);
    texts.any(|text| text.starts_with(['/', '$']))
}

/// Whether a root beside the workspace has a part in it.
fn further_roots(case: &Case) -> bool {
    let policy = case.given.policy.as_ref();
    let named = policy.is_some_and(|policy| !policy.extra_roots.is_empty());
    let temporary = policy.is_some_and(|policy| policy.temporary != Some(false));
    named || (temporary && (case.line.contains("$TMP") || case.line.contains("/tmp")))
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
