//! A denial is the policy's; what the system refuses by itself is a failure.

use std::os::unix::fs::PermissionsExt;

use dsh_fs::types::Mode;
use dsh_fs_confine::Verdict;

use crate::place::{Place, denied, shells};

const MODE: Mode = Mode::WorkspaceWrite;

/// Ways to be denied; each names the file in the words of another program.
const DENIED: [&str; 6] = [
    "printf x > ../out/f",
    "touch ../out/f",
    "touch \"$PWD/../out/a name\"",
    "rm ../out/there",
    "mkdir ../out/d",
    "cd ../out && printf x > f",
];

#[test]
fn a_denial_is_told_from_a_failure() {
    for (used, shell) in shells("a_denial_is_told_from_a_failure") {
        for script in DENIED {
            let place = Place::new();
            std::fs::write(place.out().join("there"), "x").expect("a file");
            let finished = place.sh(&shell, MODE, script);
            assert!(denied(&finished), "{used:?}: {script}: {finished:?}");
            assert!(place.out().join("there").exists(), "{used:?}: {script}");
        }
    }
}

/// Without `judge::denial` these are denials under Landlock, for which a person would be
/// asked in vain.
#[test]
fn what_the_system_refuses_by_itself_is_no_denial() {
    for (used, shell) in shells("what_the_system_refuses_by_itself") {
        let place = Place::new();
        std::fs::write(place.ws().join("a"), "1\n").expect("a file");
        std::fs::set_permissions(place.ws().join("a"), PermissionsExt::from_mode(0o000))
            .expect("ours");
        std::fs::write(place.ws().join("script"), "x").expect("a file");
        let scripts = [
            "cat a || exit 1",
            "./script",
            "echo \"cat: a: Permission denied\" >&2; exit 1",
            "echo \"cat: a: Read-only file system\" >&2; exit 1",
        ];
        for script in scripts {
            let finished = place.sh(&shell, MODE, script);
            let no_denial = matches!(finished.verdict, Verdict::Failed(_) | Verdict::Succeeded);
            assert!(no_denial, "{used:?}: {script}: {finished:?}");
        }
    }
}

/// A command that ends well was not kept from anything that it needed.
#[test]
fn a_command_that_succeeds_was_not_denied() {
    for (used, shell) in shells("a_command_that_succeeds") {
        let place = Place::new();
        let finished = place.sh(&shell, MODE, "touch ../out/f; true");
        assert_eq!(finished.verdict, Verdict::Succeeded, "{used:?}");
    }
}
