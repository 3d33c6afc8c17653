//! Running vectors leaves nothing behind, neither beside the program nor in `/tmp`.

use std::fs;
use std::process::Command;

use super::vectors_folder;

#[test]
fn a_run_leaves_nothing_behind() {
    let base = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_vectors"))
        .args(["--only", "own-bare-handle", "--base"])
        .arg(base.path())
        .arg(vectors_folder())
        .output()
        .expect("the program vectors");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert_eq!(text.lines().last(), Some("1 passed, 0 failed, 0 skipped"));
    assert_eq!(fs::read_dir(base.path()).expect("the base").count(), 0);
}
