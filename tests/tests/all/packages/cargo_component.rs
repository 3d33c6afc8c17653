//! The guests as cargo-component makes components of them: they answer as those that ship.

use std::process::Command;

use super::super::runtimes::{every_vector, python::interpreter};
use super::{run, target, workspace};

const GUESTS: [&str; 6] = [
    "dsh-fs-gate",
    "dsh-fs-tools",
    "dsh-fs-texts",
    "dsh-fs-disk",
    "dsh-fs-nobody",
    "dsh-fs-command",
];

#[test]
fn the_guests_of_cargo_component_give_the_same_answers() {
    const NAME: &str = "the_guests_of_cargo_component_give_the_same_answers";
    if let Err(why) = run(Command::new("cargo-component").arg("--version")) {
        return println!("SKIPPED {NAME}: {why}");
    }
    let python = match interpreter() {
        Ok(python) => python,
        Err(why) => return println!("SKIPPED {NAME}: {why}"),
    };
    let built = target().join("cargo-component");
    let mut build = Command::new("cargo");
    build
        .args(["component", "build", "--locked", "--profile", "guest"])
        .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
        .arg(&built)
        .args(GUESTS.iter().flat_map(|guest| ["-p", guest]));
    run(build.current_dir(workspace())).expect("cargo-component builds the guests");
    let components = built.join("components");
    let mut compose = Command::new(env!("CARGO_BIN_EXE_components"));
    compose
        .arg(&components)
        .arg(built.join("wasm32-unknown-unknown/guest"));
    run(&mut compose).expect("they can be composed");
    let command = format!(
        "DSH_FS_COMPONENTS='{}' PYTHONPATH='{}' exec '{}' -B -m adapter",
        components.display(),
        workspace().join("tests/python").display(),
        python.display()
    );
    every_vector(&command, 330);
}
