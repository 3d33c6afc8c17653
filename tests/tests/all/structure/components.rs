//! What is built names no folder of the machine that built it.

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
