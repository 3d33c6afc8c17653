//! The table of the conformance kit, made of a real run; and the schema of the vectors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use dsh_fs_tests::conformance::{Row, written};
use dsh_fs_tests::files;
use dsh_fs_tests::run::Options;
use dsh_fs_tests::tier::adapter::Adapter;

use super::super::vectors::everywhere;
use super::wasmtime::{invoking, wasmtime};
use super::{composed, js, python, run, vectors_folder, workspace};

/// Every vector through an adapter.
fn row(name: &str, what: &str, command: &str) -> Row {
    let adapter = Adapter::start(command).expect("an adapter that says who it is");
    let options = Options {
        adapter: Some(Arc::new(adapter)),
        ..Options::default()
    };
    let outcomes = files::run(&[vectors_folder()], None, &options).expect("vectors");
    let verdicts = outcomes.iter().map(|outcome| &outcome.verdict);
    Row::of(name, what, verdicts)
}

/// The first line that a program tells.
fn told(program: &Path, arguments: &[&str]) -> String {
    let told = run(Command::new(program).args(arguments)).expect("it tells");
    told.lines().next().unwrap_or_default().to_owned()
}

/// The kernel by the first two numbers of its release.
fn kernel() -> String {
    let release = told(Path::new("uname"), &["-r"]);
    let numbers: Vec<&str> = release.split('.').take(2).collect();
    format!("Linux {}", numbers.join("."))
}

fn versions(wasmtime: &Path, python: &Path) -> Vec<String> {
    let wheel =
        "from importlib.metadata import version; print('the wheel wasmtime', version('wasmtime'))";
    vec![
        kernel(),
        format!("Node {}", told(Path::new("node"), &["--version"])),
        told(python, &["--version"]),
        told(python, &["-c", wheel]),
        told(wasmtime, &["--version"]),
    ]
}

/// Asks for the table; `make conformance` sets it.
const WRITE: &str = "DSH_FS_WRITE_CONFORMANCE";

/// `make conformance`: everything must be there, so that no row is of another day. Not a
/// test by itself: what is committed is checked with the vectors.
#[test]
fn the_table_is_written() {
    if std::env::var_os(WRITE).is_none() {
        return;
    }
    js::built().expect("Node");
    let python = python::interpreter().expect("Python");
    let wasmtime = wasmtime().expect("wasmtime");
    let others = [
        row(
            "jco",
            "the components in JavaScript, a provider over `node:fs`",
            &js::adapter(),
        ),
        row(
            "Python",
            "the components in the wheel of wasmtime, a provider over `os`",
            &python::adapter(python),
        ),
        row(
            "wasmtime --invoke",
            "the plain functions in the stock program; the runner remembers",
            &invoking(&wasmtime),
        ),
        row(
            "composed",
            "`dsh-fs-command.wasm` in the stock program, files through WASI",
            &composed::adapter(&wasmtime),
        ),
    ];
    let table = written(&everywhere(), &others, &versions(&wasmtime, python));
    fs::write(workspace().join("tests/kit/RESULTS.md"), table).expect("the table");
}

/// Checks a file by the schema; what is wrong with it.
fn checked(python: &Path, file: &Path) -> Result<String, String> {
    let mut check = Command::new(python);
    check.arg(workspace().join("tests/kit/validate.py"));
    run(check.arg(file))
}

#[test]
fn every_vector_follows_the_schema() {
    let python = match python::interpreter() {
        Ok(python) => python,
        Err(why) => return println!("SKIPPED every_vector_follows_the_schema: {why}"),
    };
    for file in files::find(&vectors_folder()).expect("vectors") {
        checked(python, &file).expect("every line follows the schema");
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let file: PathBuf = folder.path().join("wrong.jsonl");
    for wrong in WRONG {
        fs::write(&file, wrong).expect("a file");
        let told = checked(python, &file).expect_err(wrong);
        assert!(told.contains("1 do not follow"), "{told}");
    }
}

/// A line each that a schema must not let pass.
const WRONG: [&str; 6] = [
    r#"{"given": {}, "do": [], "expect": {"results": []}}"#,
    r#"{"id": "a", "given": {"gates": true}, "do": [], "expect": {"results": []}}"#,
    r#"{"id": "a", "given": {"policy": {"mode": "all"}}, "do": [], "expect": {"results": []}}"#,
    r#"{"id": "a", "given": {}, "do": [{"op": "fly"}], "expect": {"results": ["-"]}}"#,
    r#"{"id": "a", "given": {}, "do": [{"op": "write", "path": "a"}], "expect": {"results": ["-"]}}"#,
    r#"{"id": "a", "given": {"ws": {"a": {"txt": ""}}}, "do": [], "expect": {"results": []}}"#,
];
