//! `policy check` and `policy schema`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::place::Place;

/// A policy beside the workspace; the words are its text.
fn plant(place: &Place, text: &str) {
    let workspace = place.workspace();
    let workspace = workspace.canonicalize().expect("it is there");
    let text = text.replace("$WS", workspace.to_str().expect("UTF-8"));
    fs::create_dir_all(place.beside("etc")).expect("a folder");
    let file = place.beside("etc/p.toml");
    fs::write(&file, text).expect("a policy");
    for (path, mode) in [(place.beside("etc"), 0o755), (file, 0o644)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permitted");
    }
}

const POLICY: &str = r#"
mode = "workspace-write"
workspace = "$WS"
roots = ["/nowhere/at/all"]
temp-roots = false
protected = [".git/hooks"]
deny-read = ["**/.env", "/etc/shadow"]
[[escalate]]
session = "ci-*"
answer = "never"
[shell]
backend = "landlock"
"#;

#[test]
fn a_right_file_is_told_with_what_it_resolves_to() {
    let place = Place::new();
    plant(&place, POLICY);
    let text = place
        .program(["policy", "check", "etc/p.toml", "--json"])
        .done();
    let told: Value = serde_json::from_str(&text).expect("JSON");
    let workspace = place.workspace().canonicalize().expect("it is there");
    let workspace = workspace.to_str().expect("UTF-8");
    assert_eq!(told["ok"], true);
    assert_eq!(told["mode"], "workspace-write");
    assert_eq!(told["workspace"]["canonical"], workspace);
    let missing = json!([{"path": "/nowhere/at/all", "canonical": null}]);
    assert_eq!(told["roots"], missing);
    assert_eq!(told["writableRoots"], json!([workspace]));
    let hooks = format!("{workspace}/.git/hooks");
    assert_eq!(told["protected"], json!([hooks]));
    let places: Vec<_> = told["denyRead"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| rule["beneath"].as_str().expect("a path"))
        .collect();
    assert_eq!(places, [workspace, "/etc/shadow"]);
    let never = json!([{"session": "ci-*", "to": null, "answer": "never"}]);
    assert_eq!(told["escalation"], never);
    assert_eq!(told["shell"]["backend"], "landlock");
    let text = place.program(["policy", "check", "etc/p.toml"]).done();
    for words in [
        "/nowhere/at/all (missing: contains nothing)",
        "ci-* to any mode: never",
        "any other: ask",
        &hooks,
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_wrong_file_ends_with_6_and_every_problem() {
    let place = Place::new();
    plant(&place, "mod = 1\nroots = [\"a\"]\n");
    let ended = place.program(["policy", "check", "etc/p.toml"]);
    for words in [
        "etc/p.toml:1:1: CONFIG_UNKNOWN_KEY: mod: ",
        "etc/p.toml:2:10: CONFIG_BAD_VALUE: roots[0]: ",
    ] {
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
    ended.failed(6);
    let ended = place.program(["policy", "check", "etc/p.toml", "--json"]);
    let told: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(told["ok"], false);
    assert_eq!(told["problems"][1]["line"], 2);
    assert_eq!(told["problems"][1]["code"], "CONFIG_BAD_VALUE");
    ended.failed(6);
    place.program(["policy", "check", "missing"]).failed(6);
}

#[test]
fn a_file_in_the_workspace_ends_with_6() {
    let place = Place::new();
    plant(&place, POLICY);
    fs::copy(place.beside("etc/p.toml"), place.file("p.toml")).expect("copied");
    let why = place.program(["policy", "check", "ws/p.toml"]).failed(6);
    assert!(why.contains("CONFIG_UNSAFE_FILE"), "{why}");
}

#[test]
fn the_schema_is_printed() {
    let place = Place::new();
    let text = place.program(["policy", "schema"]).done();
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert!(schema["properties"]["deny-read"].is_object(), "{text}");
}
