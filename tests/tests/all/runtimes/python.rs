//! Python: the components under the wasmtime of PyPI, over a provider in Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::{components, every_vector, run, workspace};

fn folder() -> PathBuf {
    workspace().join("tests/python")
}

pub(super) fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The interpreter with what `requirements.txt` names; or why it cannot be had here.
pub(crate) fn interpreter() -> Result<&'static Path, String> {
    static READY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let ready = READY.get_or_init(installed);
    ready.as_deref().map_err(Clone::clone)
}

fn installed() -> Result<PathBuf, String> {
    let old = "import sys; sys.exit(sys.version_info < (3, 10) and 'Python 3.10 is needed')";
    run(Command::new("python3").args(["-c", old]))?;
    let wanted = std::fs::read_to_string(folder().join("requirements.txt"))
        .map_err(|error| error.to_string())?;
    let venv = scratch("python");
    let (python, stamp) = (venv.join("bin/python"), venv.join("installed.txt"));
    if std::fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&venv))?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "-r", "requirements.txt"]);
        run(pip.current_dir(folder()))?;
        std::fs::write(&stamp, wanted).map_err(|error| error.to_string())?;
    }
    Ok(python)
}

/// A command of the interpreter that leaves nothing beside the sources.
pub(super) fn python(interpreter: &Path, components: &Path) -> Command {
    let mut command = Command::new(interpreter);
    command
        .current_dir(folder())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONPATH", folder())
        .env("DSH_FS_COMPONENTS", components);
    command
}

/// The command of the adapter.
pub(super) fn adapter(python: &Path) -> String {
    format!(
        "DSH_FS_COMPONENTS='{}' PYTHONPATH='{}' exec '{}' -B -m adapter",
        components().display(),
        folder().display(),
        python.display()
    )
}

#[test]
fn python_gives_the_same_answers() {
    let python = match interpreter() {
        Ok(python) => python,
        Err(why) => return println!("SKIPPED python_gives_the_same_answers: {why}"),
    };
    every_vector(&adapter(python), 330);
}

#[test]
fn the_python_package_passes_its_own_tests() {
    let interpreter = match interpreter() {
        Ok(python) => python,
        Err(why) => return println!("SKIPPED the_python_package_passes_its_own_tests: {why}"),
    };
    let components = components();
    let mut types = python(interpreter, &components);
    types.args(["-m", "mypy", "--cache-dir"]);
    run(types.arg(scratch("mypy"))).expect("the types fit");
    let mut tests = python(interpreter, &components);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs"]);
    let told = run(&mut tests).expect("the tests pass");
    for line in told.lines().filter(|line| line.starts_with("SKIPPED")) {
        println!("{line}");
    }
    let last = told.lines().last().unwrap_or_default();
    println!("pytest: {last}");
}

/// The wheel holds the components: nothing else is told to it, and its example runs.
#[test]
fn the_wheel_runs_by_itself() {
    let interpreter = match interpreter() {
        Ok(python) => python,
        Err(why) => return println!("SKIPPED the_wheel_runs_by_itself: {why}"),
    };
    let fresh = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let (sources, target) = (fresh.path().join("sources"), fresh.path().join("target"));
    // The build leaves files beside the sources, so it gets a copy.
    run(Command::new("cp").arg("-r").arg(folder()).arg(&sources)).expect("a copy");
    let wheels = fresh.path().join("wheels");
    let mut build = python(interpreter, &components());
    build
        .current_dir(fresh.path())
        .args(["-m", "pip", "wheel", "--quiet", "--no-deps", "-w"]);
    run(build.arg(&wheels).arg(&sources)).expect("a wheel");
    let mut wheels = std::fs::read_dir(wheels).expect("a folder");
    let wheel = wheels.next().expect("one").expect("an entry").path();
    let mut install = Command::new(interpreter);
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]);
    run(install.arg(&target).arg(wheel)).expect("it can be installed");
    let mut example = python(interpreter, fresh.path());
    example
        .current_dir(fresh.path())
        .env("PYTHONPATH", &target)
        .env_remove("DSH_FS_COMPONENTS")
        .arg(folder().join("example/loop.py"));
    let told = run(&mut example).expect("the example does its work");
    assert!(
        told.contains("FS_NOT_OBSERVED") && told.contains("Created file"),
        "{told}"
    );
}
