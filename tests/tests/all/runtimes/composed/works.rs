//! The same file under jco and under the wasmtime of PyPI: the examples of both, which
//! start it, do their work on real files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::super::{js, python};
use super::{Composed, WRITES, call, components, edit, read, write};

/// Reads, edits, makes and lists; what leads out of the folder, or was not seen, is left
/// as it is. The first edit succeeds without the gate, and the links lead out without
/// `failure::outside` in guest/disk/src/walk.rs.
fn works(composed: &Composed) {
    let outside = composed.place.path().join("outside");
    fs::create_dir(&outside).expect("a folder outside");
    fs::write(outside.join("secret"), "kept").expect("a file outside");
    symlink(&outside, composed.file("absolute")).expect("a link");
    symlink("../outside", composed.file("relative")).expect("a link");
    fs::write(composed.file("a.txt"), "one\r\ntwo\r\n").expect("a file");
    let calls = [
        (edit("a.txt", "one", "1"), "FS_NOT_OBSERVED"),
        (read("a.txt"), "ok"),
        (edit("a.txt", "one\ntwo", "1\n2"), "ok"),
        (write("deep/er/b.txt", "new\n"), "ok"),
        (write(".git/hooks/pre-commit", "x"), "FS_SANDBOX_DENIED"),
        (read("absolute/secret"), "FS_SANDBOX_DENIED"),
        (write("absolute/new", "x"), "FS_SANDBOX_DENIED"),
        (write("relative/new", "x"), "FS_SANDBOX_DENIED"),
        (write("relative/secret", "x"), "FS_SANDBOX_DENIED"),
        (read("../outside/secret"), "FS_SANDBOX_DENIED"),
        (call("list", json!({})), "ok"),
    ];
    let (asked, wanted): (Vec<Value>, Vec<&str>) = calls.into_iter().unzip();
    let options = [&WRITES[..], &["--protect", ".git/hooks"]].concat();
    let answers = composed.answers(&options, &asked);
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| answer["code"].as_str().unwrap_or("ok"))
        .collect();
    assert_eq!(codes, wanted, "{answers:?}");
    let listed = answers[10]["text"].as_str().expect("a text");
    assert!(
        listed.contains("a.txt") && listed.contains("deep"),
        "{listed}"
    );
    let text = |file: &Path| fs::read_to_string(file).expect("a text");
    assert_eq!(text(&composed.file("a.txt")), "1\r\n2\r\n");
    assert_eq!(text(&composed.file("deep/er/b.txt")), "new\n");
    assert_eq!(text(&outside.join("secret")), "kept");
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 1);
    let left = fs::read_dir(composed.file("deep/er")).expect("a folder");
    assert_eq!(left.count(), 1, "nothing staged is left");
    let (code, told, why) = composed.run(&["read", "a.txt"], "");
    assert!(code == Some(0) && told.contains("1: 1\n"), "{told}{why}");
    let (code, _, why) = composed.run(&["write", "c.txt"], "x");
    assert_eq!(code, Some(1), "nothing is changed without --mode: {why}");
    assert!(!fs::exists(composed.file("c.txt")).expect("a look"));
}

#[test]
fn the_command_works_under_jco() {
    if let Err(why) = js::built() {
        return println!("SKIPPED the_command_works_under_jco: {why}");
    }
    let starts = |folder: &Path| {
        let mut program = Command::new("node");
        program.arg(js::folder().join("dist/example/composed.js"));
        program.arg(folder);
        program
    };
    works(&Composed::new(Box::new(starts)));
}

#[test]
fn the_command_works_under_python() {
    let interpreter = match python::interpreter() {
        Ok(interpreter) => interpreter,
        Err(why) => return println!("SKIPPED the_command_works_under_python: {why}"),
    };
    let components = components();
    let starts = move |folder: &Path| {
        let mut program = python::python(interpreter, &components);
        program.arg("example/composed.py").arg(folder);
        program
    };
    works(&Composed::new(Box::new(starts)));
}
