//! What is linked with what, over any number of steps.

use std::process::Command;

use serde_json::Value;

const GUESTS: [&str; 12] = [
    "dsh-fs-policy",
    "dsh-fs-text",
    "dsh-fs-gate",
    "dsh-fs-tools",
    "dsh-fs-texts",
    "dsh-fs-disk",
    "dsh-fs-nobody",
    "dsh-fs-command",
    "dsh-fs-test-open-gate",
    "dsh-fs-test-chain-gate",
    "dsh-fs-test-loop-gate",
    "dsh-fs-test-wasi-gate",
];
const HOST: [&str; 4] = ["dsh-fs", "dsh-fs-artifacts", "dsh-fs-runtime", "dsh-fs-cli"];

fn cargo(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(args)
        .args(["--locked", "--offline"])
        .current_dir(crate::workspace())
        .output()
        .expect("cargo can be started");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Everything that a package is built from and with, itself first.
fn built_from(package: &str) -> Vec<String> {
    let tree = cargo(&["tree", "-p", package, "-e", "no-dev", "--prefix", "none"]);
    let name = |line: &str| line.split(' ').next().map(str::to_owned);
    let names: Vec<String> = tree.lines().filter_map(name).collect();
    assert_eq!(names.first().map(String::as_str), Some(package));
    names
}

/// A host that linked the decisions could take a short cut around the component.
#[test]
fn the_host_links_no_decision() {
    for package in HOST {
        let all = built_from(package);
        for guest in GUESTS.iter().filter(|guest| **guest != "dsh-fs-text") {
            assert!(
                !all.iter().any(|name| name == guest),
                "{package} links {guest}"
            );
        }
    }
}

#[test]
fn guests_link_nothing_of_the_host() {
    for package in GUESTS {
        let all = built_from(package);
        let host = all.iter().find(|name| HOST.contains(&name.as_str()));
        assert_eq!(host, None, "{package}");
        assert!(
            !all.iter()
                .any(|name| name == "wasmtime" || name == "dsh-fs-tests"),
            "{package}"
        );
    }
}

#[test]
fn the_file_system_knows_no_wasm() {
    let all = built_from("dsh-fs");
    let wasm = all
        .iter()
        .find(|name| name.starts_with("wasm") || name.starts_with("wit-"));
    assert_eq!(wasm, None);
}

#[test]
fn only_the_runtime_knows_wasmtime() {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let mut users = Vec::new();
    for package in metadata["packages"].as_array().expect("a list") {
        for dependency in package["dependencies"].as_array().expect("a list") {
            let name = dependency["name"].as_str().expect("a name");
            if name.starts_with("wasmtime") {
                users.push((package["name"].clone(), dependency["kind"].clone()));
            }
        }
    }
    users.sort_by_key(|user| format!("{user:?}"));
    users.dedup();
    let expected = [
        ("dsh-fs-artifacts".into(), "build".into()),
        ("dsh-fs-runtime".into(), Value::Null),
    ];
    assert_eq!(users, expected);
}
