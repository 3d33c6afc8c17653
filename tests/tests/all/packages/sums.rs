//! The whole of it, twice: the same bytes, and sums that hold.

use std::fs;
use std::process::Command;

use super::{fresh, make, no_npm, no_python, run};

/// Fails where an archive carries a time, an owner or an order of its own (`--mtime`,
/// `--owner`, `--sort` and `SOURCE_DATE_EPOCH` in `.ci/dist`).
#[test]
fn two_runs_give_the_same_bytes() {
    let mut parts = vec!["components"];
    for (part, missing) in [("js", no_npm()), ("python", no_python())] {
        match missing {
            None => parts.push(part),
            Some(why) => println!("SKIPPED two_runs_give_the_same_bytes ({part}): {why}"),
        }
    }
    let (one, other) = (fresh(), fresh());
    if let Err(why) = make(one.path(), &parts) {
        println!("SKIPPED two_runs_give_the_same_bytes (js, python): {why}");
        parts.truncate(1);
        make(one.path(), &parts).expect("the components need nothing");
    }
    make(other.path(), &parts).expect("it can be made again");
    let sums = |folder: &std::path::Path| fs::read_to_string(folder.join("SHA256SUMS"));
    let (first, second) = (sums(one.path()), sums(other.path()));
    let (first, second) = (first.expect("sums"), second.expect("sums"));
    assert_eq!(first, second);
    assert!(first.lines().count() >= 9, "{first}");

    let check = |folder: &std::path::Path| {
        let mut sha256sum = Command::new("sha256sum");
        run(sha256sum
            .args(["-c", "--quiet", "SHA256SUMS"])
            .current_dir(folder))
    };
    check(one.path()).expect("the sums hold");
    let gate = one.path().join("components/gate.wasm");
    let mut bytes = fs::read(&gate).expect("a gate");
    bytes[100] ^= 1;
    fs::write(&gate, bytes).expect("a file");
    check(one.path()).expect_err("a changed byte is seen");
}
