//! The wheel, installed by pip into an environment that has nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{assert_told, ending, example, fresh, make, no_python, run};

/// The wheel in a fresh environment; or what cannot be had here.
fn installed(place: &Path) -> Result<(), String> {
    if let Some(why) = no_python() {
        return Err(why);
    }
    let dist = place.join("dist");
    make(&dist, &["components", "python"])?;
    run(Command::new("python3")
        .args(["-m", "venv"])
        .arg(place.join("venv")))?;
    let pip = |what: &Path| {
        let mut pip = Command::new(place.join("venv/bin/pip"));
        run(pip
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .arg(what))
    };
    // Its one dependency first: where that cannot be fetched, nothing is said of the wheel.
    pip(Path::new("wasmtime==48.*"))?;
    pip(&ending(&dist, ".whl")).expect("it can be installed");
    Ok(())
}

#[test]
fn the_wheel_runs_in_a_fresh_environment() {
    let place = fresh();
    if let Err(why) = installed(place.path()) {
        println!("SKIPPED the_wheel_runs_in_a_fresh_environment: {why}");
        return;
    }
    let python = |code: &str| {
        let mut python = Command::new(place.path().join("venv/bin/python"));
        python
            .env_remove("DSH_FS_COMPONENTS")
            .env_remove("PYTHONPATH");
        run(python.args(["-I", "-c", code]).current_dir(place.path()))
    };
    let metadata = "import importlib.metadata as m; print(m.metadata('dsh-fs'))";
    let page = python(metadata).expect("what is known of it");
    assert!(page.contains("Apache-2.0 WITH LLVM-exception"), "{page}");
    fs::write(place.path().join("page.md"), &page).expect("a file");
    let told = python(&example(&page, "python"));
    assert_told(&told.expect("the example does its work"));
}
