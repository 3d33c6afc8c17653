//! Gates in other languages: each is built from its sources, chained before the gate that
//! ships, and asked about a lock file and about another one.
//!
//! They run under the wasmtime of PyPI, which is optimized: megabytes of code take minutes
//! to compile in a build for tests of this workspace, and seconds there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dsh_fs_artifacts::{GATE, TOOLBOX, chain, compose};

use super::python::{interpreter, python, scratch};
use super::{components, run, workspace};

fn sources(name: &str) -> PathBuf {
    workspace().join("tests/components").join(name)
}

/// Everything that a gate is made of, one file after the other.
fn made_of(name: &str) -> String {
    let folders = [sources(name), workspace().join("wit")];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.is_file());
    files.sort();
    let texts = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a text"));
    texts.collect()
}

/// The component of a gate, built again where its sources changed; or what is missing here.
fn built(name: &str, build: impl FnOnce(&Path) -> Result<(), String>) -> Result<Vec<u8>, String> {
    let file = scratch(&format!("{name}.wasm"));
    let stamp = scratch(&format!("{name}.txt"));
    let sources = made_of(name);
    if !file.is_file() || fs::read_to_string(&stamp).ok().as_ref() != Some(&sources) {
        build(&file)?;
        fs::write(&stamp, sources).expect("a file");
    }
    Ok(fs::read(file).expect("a component"))
}

fn in_python(interpreter: &Path, file: &Path) {
    let mut build = Command::new(interpreter.with_file_name("componentize-py"));
    build.arg("-d").arg(workspace().join("wit"));
    build.args(["-w", "chained-gate", "componentize", "app", "-p"]);
    build.arg(sources("python-gate")).arg("-o").arg(file);
    run(&mut build).expect("the gate can be built");
}

/// Builds in a copy, because what npm installs lies beside the sources.
fn in_javascript(file: &Path) -> Result<(), String> {
    let folder = scratch("js-gate");
    run(Command::new("mkdir").arg("-p").arg(&folder))?;
    let all = sources("js-gate").join(".");
    run(Command::new("cp").arg("-r").arg(all).arg(&folder))?;
    run(Command::new("npm")
        .args(["ci", "--silent"])
        .current_dir(&folder))?;
    let mut build = Command::new("node");
    build.arg("build.js").arg(workspace().join("wit")).arg(file);
    run(build.current_dir(&folder)).expect("the gate can be built");
    Ok(())
}

/// What a session over the gate answers, call by call.
fn codes(interpreter: &Path, name: &str, gate: &[u8]) -> String {
    let folder = components();
    let chained = chain(gate, GATE).expect("a link of a chain");
    let whole = compose(TOOLBOX, &chained).expect("a gate");
    fs::write(folder.join(format!("{name}.wasm")), whole).expect("a file");
    let mut session = python(interpreter, &folder);
    session.args(["example/locks.py", name]);
    run(&mut session).expect("a session")
}

/// Lock files can be made and read, and neither edited nor replaced; other files as ever.
const LOCKED: &str = "create Cargo.lock: ok
read Cargo.lock: ok
edit Cargo.lock: FS_PERMISSION_DENIED
write Cargo.lock: FS_STALE_VERSION
edit a.txt: FS_NOT_OBSERVED
read a.txt: ok
edit a.txt: ok
";

/// Seen red where `is_lock` of app.py answers no: the lock file is changed.
#[test]
fn a_gate_in_python_keeps_lock_files() {
    let name = "python-gate";
    let interpreter = match interpreter() {
        Ok(interpreter) => interpreter,
        Err(why) => return println!("SKIPPED a_gate_in_python_keeps_lock_files: {why}"),
    };
    let gate = built(name, |file| {
        in_python(interpreter, file);
        Ok(())
    });
    assert_eq!(codes(interpreter, name, &gate.expect("a gate")), LOCKED);
}

/// Seen red where `isLock` of gate.js answers no: the lock file is changed.
#[test]
fn a_gate_in_javascript_keeps_lock_files() {
    let name = "js-gate";
    let ready = interpreter().and_then(|python| Ok((python, built(name, in_javascript)?)));
    match ready {
        Ok((interpreter, gate)) => assert_eq!(codes(interpreter, name, &gate), LOCKED),
        Err(why) => println!("SKIPPED a_gate_in_javascript_keeps_lock_files: {why}"),
    }
}
