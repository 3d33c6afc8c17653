//! What is handed out: made by `.ci/dist`, installed into fresh folders, and run there.
//!
//! Where npm or python, or what they fetch, cannot be had, a test says SKIPPED and why.

mod cargo_component;
mod crates;
mod javascript;
mod python;
mod sums;
mod versions;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use super::runtimes::run;
use super::workspace;

/// A folder of a test, below the folder of this program.
fn fresh() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

/// The folder of builds, which the folder for tests is in.
fn target() -> PathBuf {
    let tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tests.parent().expect("a folder above").to_path_buf()
}

/// Makes parts of what is handed out. One at a time: all share a folder of work.
fn make(folder: &Path, parts: &[&str]) -> Result<String, String> {
    static MAKING: Mutex<()> = Mutex::new(());
    let _one = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut dist = Command::new("bash");
    dist.arg(".ci/dist")
        .arg(folder)
        .args(parts)
        .env("DIST_PROGRAM", env!("CARGO_BIN_EXE_dist"))
        .env("CARGO_TARGET_DIR", target())
        .env("SOURCE_DATE_EPOCH", "1767225600");
    run(dist.current_dir(workspace()))
}

/// Why npm cannot be used here.
fn no_npm() -> Option<String> {
    let ask = |what: &str| run(Command::new(what).arg("--version"));
    let version = match (ask("npm"), ask("node")) {
        (Ok(_), Ok(version)) => version,
        (Err(why), _) | (_, Err(why)) => return Some(why),
    };
    let major = version.trim().trim_start_matches('v').split('.').next();
    let old = !major.is_some_and(|major| major.parse::<u32>().is_ok_and(|major| major >= 20));
    old.then(|| format!("node {} is older than 20", version.trim()))
}

/// Why no package for Python can be made here.
fn no_python() -> Option<String> {
    let old = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    run(Command::new("python3").args(["-c", old])).err()
}

/// The only file in a folder whose name ends so.
fn ending(folder: &Path, end: &str) -> PathBuf {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found = paths.filter(|path| path.to_string_lossy().ends_with(end));
    let first = found.next().expect("one is there");
    assert_eq!(found.next(), None, "only one ends in {end}");
    first
}

/// The first block of a page in this language: what a reader copies.
fn example(page: &str, language: &str) -> String {
    let (_, rest) = page
        .split_once(&format!("```{language}\n"))
        .expect("an example");
    let (code, _) = rest.split_once("```").expect("its end");
    code.to_owned()
}

/// What the examples of both packages print: refused, then allowed, then fenced in.
fn assert_told(told: &str) {
    let words = ["FS_NOT_OBSERVED", "Hello, wrold!", "FS_SANDBOX_DENIED"];
    let mut rest = told;
    for word in words {
        let (_, after) = rest.split_once(word).unwrap_or_else(|| panic!("{told}"));
        rest = after;
    }
    assert!(rest.contains("Hello, world!"), "{told}");
}
