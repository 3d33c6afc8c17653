//! The official client library for Python, in an environment of its own below `target`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use crate::cli::program;

/// Plays a scenario of `tests/mcp/client.py`; says SKIPPED where the library cannot be had.
pub(super) fn play(scenario: &str) {
    let python = match interpreter() {
        Ok(python) => python,
        Err(why) => return println!("SKIPPED mcp::{scenario}: {why}"),
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let output = Command::new(python)
        .arg(folder_of_sources().join("client.py"))
        .arg(scenario)
        .arg(program::path())
        .arg(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("python can be started");
    assert!(output.status.success(), "{scenario}: {}", errors(&output));
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

fn interpreter() -> Result<&'static Path, &'static str> {
    static MADE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match MADE.get_or_init(make) {
        Ok(python) => Ok(python),
        Err(why) => Err(why),
    }
}

/// Makes the environment, or takes the one that was made for the same requirements.
fn make() -> Result<PathBuf, String> {
    let requirements = folder_of_sources().join("requirements.txt");
    let wanted = fs::read_to_string(&requirements).expect("it names the version");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-python");
    let (python, mark) = (folder.join("bin/python"), folder.join("ready"));
    if fs::read_to_string(&mark).is_ok_and(|made| made == wanted) {
        return Ok(python);
    }
    let mut venv = Command::new("python3");
    run(venv.args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
    ]);
    run(pip.arg(&requirements))?;
    fs::write(&mark, wanted).expect("a mark");
    Ok(python)
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let errors = errors(&output);
            let last = errors.lines().rfind(|line| !line.trim().is_empty());
            Err(format!("{name}: {}", last.unwrap_or("it failed")))
        }
        Err(error) => Err(format!("{name}: {error}")),
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder_of_sources() -> PathBuf {
    crate::workspace().join("tests/mcp")
}
