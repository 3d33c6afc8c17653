//! The edges between the rooms: who may depend on whom.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use super::workspace;

/// Every package and the packages of this workspace that it may depend on.
const ALLOWED: [(&str, &[&str]); 17] = [
    ("dsh-fs-policy", &[]),
    ("dsh-fs-text", &[]),
    ("dsh-fs-gate", &["dsh-fs-policy"]),
    ("dsh-fs-tools", &["dsh-fs-text"]),
    ("dsh-fs-texts", &["dsh-fs-text"]),
    ("dsh-fs-disk", &["dsh-fs-text"]),
    ("dsh-fs-nobody", &[]),
    ("dsh-fs-command", &[]),
    ("dsh-fs", &["dsh-fs-text"]),
    ("dsh-fs-artifacts", &[]),
    ("dsh-fs-runtime", &["dsh-fs", "dsh-fs-artifacts"]),
    ("dsh-fs-state", &["dsh-fs"]),
    ("dsh-fs-confine", &["dsh-fs"]),
    (
        "dsh-fs-harness",
        &["dsh-fs", "dsh-fs-runtime", "dsh-fs-state", "dsh-fs-confine"],
    ),
    (
        "dsh-fs-mcp",
        &["dsh-fs", "dsh-fs-runtime", "dsh-fs-harness"],
    ),
    (
        "dsh-fs-cli",
        &[
            "dsh-fs",
            "dsh-fs-artifacts",
            "dsh-fs-confine",
            "dsh-fs-harness",
            "dsh-fs-mcp",
            "dsh-fs-runtime",
            "dsh-fs-state",
        ],
    ),
    ("dsh-fs-tests", EVERYTHING),
];

/// A component for tests may decide as the gate does.
const COMPONENT: &[&str] = &["dsh-fs-policy"];

/// The tests may depend on every room.
const EVERYTHING: &[&str] = &[
    "dsh-fs",
    "dsh-fs-artifacts",
    "dsh-fs-confine",
    "dsh-fs-harness",
    "dsh-fs-policy",
    "dsh-fs-runtime",
    "dsh-fs-state",
    "dsh-fs-text",
];

/// The dependencies of every package inside the workspace, of all kinds but those of
/// development.
fn edges() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(workspace())
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON of cargo");
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    packages
        .iter()
        .map(|package| {
            let all = package["dependencies"]
                .as_array()
                .expect("dependencies")
                .iter();
            let inside = all.filter(|dependency| dependency["path"].is_string());
            let used = inside.filter(|dependency| dependency["kind"] != "dev");
            (name(package), used.map(name).collect())
        })
        .collect()
}

#[test]
fn every_edge_is_one_of_those_allowed() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    for (package, dependencies) in edges() {
        let component = package.starts_with("dsh-fs-test-").then_some(&COMPONENT);
        let may = allowed.get(package.as_str()).or(component);
        let may = may.unwrap_or_else(|| panic!("{package} is a package without allowed edges"));
        for dependency in dependencies {
            assert!(
                may.contains(&dependency.as_str()),
                "{package} depends on {dependency}"
            );
        }
    }
}

#[test]
fn nobody_depends_on_the_tests() {
    for (package, dependencies) in edges() {
        let tests = dependencies
            .iter()
            .find(|name| name.starts_with("dsh-fs-test"));
        assert_eq!(tests, None, "{package}");
    }
}
