//! One version everywhere.

use std::fs;

use serde_json::Value;

use super::workspace;

fn text(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).expect("a text")
}

/// What stands between two texts, the first time.
fn between(text: &str, before: &str, after: &str) -> String {
    let (_, rest) = text.split_once(before).expect("the beginning");
    let (found, _) = rest.split_once(after).expect("the end");
    found.to_owned()
}

#[test]
fn every_package_has_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let package: Value =
        serde_json::from_str(&text("tests/js/package/package.json")).expect("JSON");
    assert_eq!(package["version"], version);
    let python = text("tests/python/pyproject.toml");
    assert_eq!(between(&python, "\nversion = \"", "\""), version);
    let changes = text("CHANGELOG.md");
    assert_eq!(between(&changes, "\n## [", "]"), version);
}

/// The package for JavaScript asks for what its sources are tested with.
#[test]
fn the_javascript_package_has_the_dependencies_of_its_sources() {
    let read = |path| -> Value { serde_json::from_str(&text(path)).expect("JSON") };
    let (package, sources) = (
        read("tests/js/package/package.json"),
        read("tests/js/package.json"),
    );
    for key in ["engines", "imports"] {
        assert_eq!(package[key], sources[key], "{key}");
    }
    let needed = package["dependencies"].as_object().expect("dependencies");
    for (name, version) in needed {
        assert_eq!(*version, sources["dependencies"][name], "{name}");
    }
}
