//! The package for JavaScript, installed by npm into a folder that has nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{assert_told, ending, example, fresh, make, no_npm, run, target};

/// A program that uses the types; the second call must not fit them.
const TYPED: &str = r#"
import { open, type Answer, type Session } from "dsh-fs";

const session: Session = await open(".", { mode: "read-only", person: (asked) => asked.path ? "rejected" : "unavailable" });
export const answer: Answer = session.call("read", { file_path: "a" });
// @ts-expect-error There is no such mode.
await open(".", { mode: "everything" });
"#;

fn npm(folder: &Path, args: &[&str]) -> Result<String, String> {
    let mut npm = Command::new("npm");
    npm.args(args)
        .args(["--prefer-offline", "--no-audit", "--no-fund", "--silent"]);
    run(npm.current_dir(folder))
}

/// The package in a fresh project; or what cannot be had here.
fn installed(place: &Path) -> Result<(), String> {
    if let Some(why) = no_npm() {
        return Err(why);
    }
    let dist = place.join("dist");
    make(&dist, &["components", "js"])?;
    fs::write(place.join("package.json"), r#"{"type":"module"}"#).expect("a file");
    // Its one dependency first: where that cannot be fetched, nothing is said of the package.
    npm(place, &["install", "diff@8.0.2"])?;
    let package = ending(&dist, ".tgz");
    npm(place, &["install", package.to_str().expect("UTF-8")]).expect("it can be installed");
    Ok(())
}

#[test]
fn the_javascript_package_runs_in_a_fresh_folder() {
    let place = fresh();
    if let Err(why) = installed(place.path()) {
        println!("SKIPPED the_javascript_package_runs_in_a_fresh_folder: {why}");
        return;
    }
    let package = place.path().join("node_modules/dsh-fs");
    assert!(package.join("LICENSE").is_file());
    let page = fs::read_to_string(package.join("README.md")).expect("its page");
    fs::write(place.path().join("example.js"), example(&page, "js")).expect("a file");
    let mut node = Command::new("node");
    let told = run(node.arg("example.js").current_dir(place.path()));
    assert_told(&told.expect("the example does its work"));

    fs::write(place.path().join("typed.ts"), TYPED).expect("a file");
    let modules = target().join("dist/js/node_modules");
    let mut tsc = Command::new(modules.join(".bin/tsc"));
    tsc.args(["--noEmit", "--strict", "--module", "nodenext"])
        .args(["--target", "es2023"])
        .args(["--types", "node", "--typeRoots"])
        .arg(modules.join("@types"))
        .arg("typed.ts");
    run(tsc.current_dir(place.path())).expect("the types fit");
}
