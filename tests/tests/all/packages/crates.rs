//! The crates that can be published: which, and what is in their archives. `make dist`
//! builds each from its archive alone.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::{run, workspace};

/// Those that need nothing of the workspace but each other.
const PUBLISHED: [&str; 5] = [
    "dsh-fs",
    "dsh-fs-confine",
    "dsh-fs-policy",
    "dsh-fs-state",
    "dsh-fs-text",
];

fn cargo(args: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    run(cargo.args(args).current_dir(workspace())).expect("cargo answers")
}

fn packages() -> Vec<Value> {
    let told = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--no-deps",
        "--offline",
    ]);
    let metadata: Value = serde_json::from_str(&told).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

#[test]
fn what_can_be_published_needs_nothing_that_cannot() {
    let packages = packages();
    let published: Vec<_> = packages
        .iter()
        .filter(|package| package["publish"].is_null())
        .collect();
    let names: BTreeSet<_> = published
        .iter()
        .filter_map(|package| package["name"].as_str())
        .collect();
    assert_eq!(names, BTreeSet::from(PUBLISHED));
    for package in &published {
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(package[key].is_string(), "{}: {key}", package["name"]);
        }
        let needs = package["dependencies"].as_array().expect("dependencies");
        for need in needs.iter().filter(|need| need["path"].is_string()) {
            let name = need["name"].as_str().expect("a name");
            assert!(names.contains(name), "{} needs {name}", package["name"]);
            assert_ne!(need["req"], "*", "{name} has a version");
        }
    }
    // Named in the script that makes them.
    let script = std::fs::read_to_string(workspace().join(".ci/dist")).expect("a text");
    let (_, list) = script.split_once("names=(").expect("the crates");
    let (list, _) = list.split_once(')').expect("the end");
    assert_eq!(list.split_whitespace().collect::<BTreeSet<_>>(), names);
}

#[test]
fn an_archive_has_its_sources_its_page_and_its_licence() {
    for name in PUBLISHED {
        let list = cargo(&[
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "-p",
            name,
        ]);
        for file in ["src/lib.rs", "README.md", "LICENSE"] {
            assert!(list.lines().any(|line| line == file), "{name}: {file}");
        }
        let foreign = list.lines().find(|line| line.starts_with("tests/"));
        assert_eq!(foreign, None, "{name}");
    }
}
