//! The argv forms, started by somebody else; and a `Command` that restricts itself.

use std::ffi::OsString;
use std::process::{Command, Output};

use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;
use dsh_fs_confine::{Backend, Enforcement, Shell, ShellOptions, Used};

use crate::place::{Place, options, sh, shells};

const MODE: Mode = Mode::WorkspaceWrite;

fn start(argv: &[OsString], place: &Place) -> Output {
    let mut command = Command::new(&argv[0]);
    command.args(&argv[1..]).current_dir(place.ws());
    command.output().expect("it starts")
}

#[test]
fn an_argv_confines_whoever_starts_it() {
    for (used, shell) in shells("an_argv_confines_whoever_starts_it") {
        let place = Place::new();
        let script = "printf x > in; printf x > ../out/f; exit 3";
        let confined = place.confined(&shell, MODE, &RootRules::new(None), script);
        let output = start(&confined.argv, &place);
        assert_eq!(output.status.code(), Some(3), "{used:?}: {output:?}");
        assert!(place.ws().join("in").exists(), "{used:?}");
        assert!(!place.out().join("f").exists(), "{used:?}");
    }
}

/// Without `--is` the launcher takes whatever is at the path by then.
#[test]
fn the_launcher_refuses_another_directory_at_the_path() {
    for (used, shell) in shells("the_launcher_refuses_another_directory") {
        if used != Used::Landlock {
            continue;
        }
        let place = Place::new();
        let confined = place.confined(&shell, MODE, &RootRules::workspace_only(), "touch ran");
        std::fs::rename(place.ws(), place.base().join("was")).expect("a rename");
        std::os::unix::fs::symlink("out", place.ws()).expect("a link");
        let output = start(&confined.argv, &place);
        assert_eq!(output.status.code(), Some(125), "{output:?}");
        assert!(!place.out().join("ran").exists());
    }
}

/// A run holds the root itself, so that a swapped path makes no difference to it.
#[test]
fn a_run_confines_to_the_directory_that_was_pinned() {
    for (used, shell) in shells("a_run_confines_to_the_directory") {
        if used != Used::Landlock {
            continue;
        }
        let place = Place::new();
        let rules = RootRules::workspace_only();
        let confined = place.confined(&shell, MODE, &rules, "touch ran; touch ../was/ran");
        std::fs::rename(place.ws(), place.base().join("was")).expect("a rename");
        std::os::unix::fs::symlink("out", place.ws()).expect("a link");
        place.run(&shell, &confined);
        assert!(!place.out().join("ran").exists());
        assert!(place.base().join("was/ran").exists());
    }
}

#[test]
fn a_command_is_prepared_for_a_rust_program() {
    for (used, shell) in shells("a_command_is_prepared") {
        if used != Used::Landlock {
            continue;
        }
        let place = Place::new();
        let (policy, roots) = (place.policy(MODE), place.roots(MODE));
        let argv = sh("printf x > in; printf x > ../out/f; exit 3");
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]).current_dir(place.ws());
        let enforcement = shell.prepare(&mut command, &policy, &roots);
        assert_eq!(enforcement.expect("a backend"), Enforcement::Full);
        assert_eq!(command.output().expect("it starts").status.code(), Some(3));
        assert!(place.ws().join("in").exists());
        assert!(!place.out().join("f").exists());
        // This process is as free as before.
        std::fs::write(place.out().join("f"), "x").expect("only the child is restricted");
    }
}

/// An argv without its launcher would be the command itself: there is none.
#[test]
fn without_a_launcher_landlock_offers_no_argv() {
    let place = Place::new();
    let shell = Shell::new(ShellOptions {
        landlock_wrapper: Vec::new(),
        ..options(Backend::Landlock)
    });
    let refused = shell.confine(&sh(":"), &place.policy(MODE), &place.roots(MODE));
    assert!(
        refused
            .expect_err("no launcher")
            .to_string()
            .contains("launcher")
    );
}

#[test]
fn closed_means_no_connection() {
    use dsh_fs_confine::Network;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    for (used, _) in shells("closed_means_no_connection") {
        let backend = if used == Used::Landlock {
            Backend::Landlock
        } else {
            Backend::Bubblewrap
        };
        let place = Place::new();
        let script = format!("bash -c ': > /dev/tcp/127.0.0.1/{port}' && echo connected");
        for (network, expected) in [(Network::Open, "connected\n"), (Network::Closed, "")] {
            let shell = Shell::new(ShellOptions {
                network,
                ..options(backend.clone())
            });
            let finished = place.sh(&shell, Mode::ReadOnly, &script);
            assert_eq!(finished.stdout.text(), expected, "{used:?}: {finished:?}");
        }
    }
}
