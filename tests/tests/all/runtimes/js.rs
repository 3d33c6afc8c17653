//! JavaScript: the components under jco, over a provider of `node:fs`.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::{components, every_vector, run, workspace};

pub(super) fn folder() -> PathBuf {
    workspace().join("tests/js")
}

/// What the suite needs, installed and built; or why it cannot run here.
fn ready() -> Result<(), String> {
    let version = run(Command::new("node").arg("--version"))?;
    let major = version.trim_start_matches('v').split('.').next();
    if !major.is_some_and(|major| major.parse::<u32>().is_ok_and(|major| major >= 20)) {
        return Err(format!("node {} is older than 20", version.trim()));
    }
    if !folder().join("node_modules/typescript").is_dir() {
        run(Command::new("npm").arg("ci").current_dir(folder()))?;
    }
    Ok(())
}

/// Transpiles the components and compiles the sources, once; the types are checked by that.
/// Or what is missing here.
pub(super) fn built() -> Result<(), String> {
    static BUILT: OnceLock<Result<(), String>> = OnceLock::new();
    let build = || {
        ready()?;
        build();
        Ok(())
    };
    BUILT.get_or_init(build).clone()
}

fn build() {
    let mut transpile = Command::new("node");
    transpile.arg("transpile.js").arg(components());
    run(transpile.current_dir(folder())).expect("the components are transpiled");
    run(Command::new("npx").arg("tsc").current_dir(folder())).expect("the types fit");
}

/// The command of the adapter.
pub(super) fn adapter() -> String {
    let adapter = folder().join("dist/src/adapter/main.js");
    format!("node '{}'", adapter.display())
}

#[test]
fn javascript_gives_the_same_answers() {
    if let Err(why) = built() {
        println!("SKIPPED javascript_gives_the_same_answers: {why}");
        return;
    }
    every_vector(&adapter(), 330);
    let told = run(Command::new("node")
        .arg("dist/example/loop.js")
        .current_dir(folder()));
    let told = told.expect("the example does its work");
    assert!(
        told.contains("FS_NOT_OBSERVED") && told.contains("Created file"),
        "{told}"
    );
}
