//! What no source file has.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of the workspace with this ending, without what is built.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a directory") {
        let entry = entry.expect("an entry");
        let path = entry.path();
        let name = entry.file_name();
        let skipped =
            name == "target" || name == "node_modules" || name.as_encoded_bytes()[0] == b'.';
        if entry.file_type().expect("a type").is_dir() && !skipped {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn nothing_is_left_open_and_no_test_is_left_out() {
    // Put together, so that this file has none of them.
    let never = ["todo", "unimplemented", "dbg"].map(|name| format!("{name}!("));
    let ignored = format!("#[{}", "ignore");
    let sources = files(&crate::workspace(), "rs");
    assert!(
        sources.len() > 100,
        "only {} sources were found",
        sources.len()
    );
    for path in sources {
        let text = fs::read_to_string(&path).expect("a text");
        for word in never.iter().chain([&ignored]) {
            assert!(
                !text.contains(word.as_str()),
                "{} has {word}",
                path.display()
            );
        }
    }
}

#[test]
fn every_package_has_the_lints_of_the_workspace() {
    for path in files(&crate::workspace(), "toml") {
        let text = fs::read_to_string(&path).expect("a text");
        if text.contains("\n[package]") || text.starts_with("[package]") {
            assert!(
                text.contains("[lints]\nworkspace = true"),
                "{}",
                path.display()
            );
        }
    }
}
