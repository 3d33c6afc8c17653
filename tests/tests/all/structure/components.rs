//! What is built names no folder of the machine that built it, and what is said of hostile
//! components is tested.

use std::path::{Path, PathBuf};

use dsh_fs_artifacts::{COMMAND, COMPOSED, GATE, TOOLBOX};
use dsh_fs_tests::components::{CHAIN_GATE, OPEN_GATE, WASI_GATE};

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// Without the flags of `host/artifacts/build/guests.rs` the messages of panics carry the
/// paths of the sources.
#[test]
fn no_component_names_a_folder_of_this_machine() {
    let workspace = crate::workspace();
    let workspace = workspace.to_str().expect("UTF-8").to_owned();
    let mut folders = vec![
        workspace,
        ".cargo/registry".into(),
        ".rustup/".into(),
        "/home/".into(),
        "/root/".into(),
    ];
    for name in ["HOME", "CARGO_HOME", "RUSTUP_HOME"] {
        folders.extend(std::env::var(name).ok().filter(|folder| folder.len() > 1));
    }
    let components = [
        ("gate", GATE),
        ("toolbox", TOOLBOX),
        ("composed", COMPOSED),
        ("command", COMMAND),
        ("open gate", OPEN_GATE),
        ("chain gate", CHAIN_GATE),
        ("WASI gate", WASI_GATE),
    ];
    for (name, bytes) in components {
        for folder in &folders {
            assert!(!contains(bytes, folder), "the {name} names {folder}");
        }
    }
}

/// Every Rust source below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The tests that a table names, as `file::test` or `test`.
fn named(table: &str) -> impl Iterator<Item = &str> {
    let rows = table.lines().filter(|line| line.starts_with("| "));
    let last = rows.filter_map(|row| row.rsplit('|').nth(1));
    let quoted = last.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted
        .map(|name| name.rsplit("::").next().unwrap_or(name))
        .filter(|name| name.contains('_'))
}

/// Fails where a test is renamed and the table is not.
#[test]
fn every_test_that_the_table_of_hostile_components_names_is_there() {
    let root = crate::workspace();
    let readme = std::fs::read_to_string(root.join("tests/components/README.md"));
    let mut files = Vec::new();
    for folder in [
        "host/runtime/tests",
        "host/artifacts/tests",
        "tests/tests/all",
    ] {
        sources(&root.join(folder), &mut files);
    }
    let all: String = files
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("a text"))
        .collect();
    let readme = readme.expect("a table");
    assert!(named(&readme).count() > 40);
    for name in named(&readme) {
        assert!(all.contains(&format!("fn {name}()")), "no test {name}");
    }
}
