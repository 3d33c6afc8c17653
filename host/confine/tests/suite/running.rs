//! What a run answers: outcomes, output, time, and who is killed.

use std::path::Path;
use std::time::{Duration, Instant};

use dsh_fs::cancel::Cancel;
use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;
use dsh_fs_confine::{Environment, Finished, RunError, RunOptions, Shell, Verdict};

use crate::place::{Place, denied, environment, everywhere, mode, shells, succeeded};

const MODE: Mode = Mode::WorkspaceWrite;

fn with(place: &Place, shell: &Shell, script: &str, options: &RunOptions) -> Finished {
    let confined = place.confined(shell, MODE, &RootRules::new(None), script);
    shell.run(&confined, options).expect("a run")
}

#[test]
fn a_command_writes_in_the_workspace_and_nowhere_beside_it() {
    for (used, shell) in shells("a_command_writes_in_the_workspace") {
        let place = Place::new();
        let inside = place.sh(&shell, MODE, "printf x > new && cat new");
        assert!(succeeded(&inside), "{used:?}: {inside:?}");
        assert_eq!(inside.stdout.bytes, b"x");
        let outside = place.sh(&shell, MODE, "printf x > ../out/new");
        assert!(denied(&outside), "{used:?}: {outside:?}");
        assert!(!place.out().join("new").exists());
    }
}

#[test]
fn the_exit_code_and_the_signal_are_the_commands() {
    for (used, shell) in shells("the_exit_code_and_the_signal_are_the_commands") {
        let place = Place::new();
        let seven = place.sh(&shell, MODE, "exit 7");
        assert_eq!(seven.verdict, Verdict::Failed(7), "{used:?}");
        let killed = place.sh(&shell, MODE, "kill -9 $$");
        assert_eq!(killed.verdict, Verdict::Failed(137), "{used:?}: {killed:?}");
    }
}

#[test]
fn input_is_read_and_both_outputs_are_told_apart() {
    for (used, shell) in shells("input_is_read") {
        let place = Place::new();
        let options = RunOptions {
            // More than a pipe holds, so that both directions have to move at once.
            stdin: vec![b'x'; 300_000],
            ..place.options()
        };
        let finished = with(&place, &shell, "cat; echo said >&2", &options);
        assert_eq!(finished.stdout.bytes.len(), 300_000, "{used:?}");
        assert_eq!(finished.stderr.bytes, b"said\n", "{used:?}");
        let silent = with(&place, &shell, "cat", &place.options());
        assert_eq!(silent.stdout.bytes, b"", "{used:?}");
    }
}

/// Without the bound in `Keeper::take` all of it is kept.
#[test]
fn output_is_bounded_and_keeps_both_ends() {
    for (used, shell) in shells("output_is_bounded") {
        let place = Place::new();
        let options = RunOptions {
            output_cap: 20,
            ..place.options()
        };
        let finished = with(&place, &shell, "seq 100000", &options);
        assert!(succeeded(&finished) && finished.truncated(), "{used:?}");
        assert_eq!(
            finished.stdout.bytes, b"1\n2\n3\n4\n5\n99\n100000\n",
            "{used:?}"
        );
        let text = finished.stdout.text();
        assert!(text.contains("[588875 bytes left out]"), "{text}");
    }
}

/// Whether a file goes on growing.
fn grows(file: &Path) -> bool {
    let size = || std::fs::metadata(file).map_or(0, |found| found.len());
    let before = size();
    std::thread::sleep(Duration::from_millis(150));
    size() != before
}

/// A process that writes until it is killed, in the background and in the front.
const TICKING: &str = "(while :; do printf x >> tick; sleep 0.01; done) & \
                       while :; do sleep 0.05; done";

/// One that has left the group and the session. Without `end_all` in `watch.rs` it goes on
/// under Landlock.
#[test]
fn what_has_left_the_session_ends_with_the_command() {
    for (used, shell) in shells("what_has_left_the_session") {
        let place = Place::new();
        let script = "printf 'while :; do printf x >> tick; sleep 0.01; done' > loop; \
                      (setsid sh loop > /dev/null 2>&1 &); \
                      while ! [ -s tick ]; do sleep 0.01; done";
        let finished = place.sh(&shell, MODE, script);
        assert!(succeeded(&finished), "{used:?}: {finished:?}");
        assert!(!grows(&place.ws().join("tick")), "{used:?}");
    }
}

/// Without the kill of the group in `Child::kill` the background goes on under Landlock and
/// without confinement.
#[test]
fn a_time_limit_kills_all_of_it() {
    for (used, shell) in everywhere("a_time_limit_kills_all_of_it") {
        let place = Place::new();
        let options = RunOptions {
            time_limit: Some(Duration::from_millis(300)),
            ..place.options()
        };
        let start = Instant::now();
        let confined = place.confined(&shell, mode(used), &RootRules::new(None), TICKING);
        let finished = shell.run(&confined, &options).expect("a run");
        assert_eq!(finished.verdict, Verdict::TimedOut, "{used:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{used:?}");
        assert!(place.ws().join("tick").exists(), "{used:?}: it ran");
        assert!(!grows(&place.ws().join("tick")), "{used:?}");
    }
}

#[test]
fn a_caller_who_withdraws_kills_all_of_it() {
    for (used, shell) in shells("a_caller_who_withdraws_kills_all_of_it") {
        let place = Place::new();
        let cancel = Cancel::new();
        let options = RunOptions {
            cancel: cancel.clone(),
            ..place.options()
        };
        let later = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            cancel.cancel();
        });
        let finished = with(&place, &shell, TICKING, &options);
        later.join().expect("no panic");
        assert_eq!(finished.verdict, Verdict::Cancelled, "{used:?}");
        assert!(!grows(&place.ws().join("tick")), "{used:?}");
        // Withdrawn before it starts, it does not start.
        let never = with(&place, &shell, "touch never", &options);
        assert_eq!(never.verdict, Verdict::Cancelled, "{used:?}");
        assert!(!place.ws().join("never").exists(), "{used:?}");
    }
}

#[test]
fn what_is_left_in_the_background_ends_with_the_command() {
    for (used, shell) in shells("what_is_left_in_the_background") {
        let place = Place::new();
        let script = "(while :; do printf x >> tick; sleep 0.01; done) & sleep 0.1";
        let start = Instant::now();
        let finished = place.sh(&shell, MODE, script);
        assert!(succeeded(&finished), "{used:?}: {finished:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{used:?}");
        assert!(!grows(&place.ws().join("tick")), "{used:?}");
    }
}

/// A process that left the group may hold the output open; nobody waits for it.
#[test]
fn an_output_that_stays_open_holds_nobody_up() {
    for (used, shell) in shells("an_output_that_stays_open") {
        let place = Place::new();
        let start = Instant::now();
        let finished = place.sh(&shell, MODE, "setsid sleep 20 & printf done");
        assert!(start.elapsed() < Duration::from_secs(5), "{used:?}");
        assert_eq!(finished.stdout.bytes, b"done", "{used:?}");
    }
}

#[test]
fn the_environment_is_what_was_given() {
    for (used, shell) in shells("the_environment_is_what_was_given") {
        let place = Place::new();
        let given = [("PATH", "/usr/bin:/bin"), ("API_TOKEN", "a"), ("LANG", "C")];
        let given = given.map(|(name, value)| (name.into(), value.into()));
        let options = RunOptions {
            env: Environment::without_secrets(given, &[]),
            ..place.options()
        };
        let printed = with(&place, &shell, "env | sort", &options).stdout.text();
        // The shell and bubblewrap set PWD.
        let names: Vec<_> = printed
            .lines()
            .filter(|line| !line.starts_with("PWD"))
            .collect();
        assert_eq!(names, ["LANG=C", "PATH=/usr/bin:/bin"], "{used:?}");
    }
}

/// What the program of the embedder was started with is no secret to its user, and is one
/// to the command: it cannot look into a process outside.
#[test]
fn the_environment_of_the_embedder_is_out_of_reach() {
    for (used, shell) in shells("the_environment_of_the_embedder") {
        let place = Place::new();
        let own = std::process::id();
        let script = format!("cat /proc/{own}/environ /proc/$PPID/environ | tr '\\0' '\\n'");
        let printed = place.sh(&shell, MODE, &script).stdout.text();
        let lines = printed.lines().count();
        assert!(!printed.contains("CARGO"), "{used:?}: {lines} variables");
    }
}

#[test]
fn a_command_has_no_terminal_and_signals_nobody_outside() {
    for (used, shell) in shells("a_command_has_no_terminal") {
        let place = Place::new();
        let own = std::process::id();
        let script =
            format!("(: > /dev/tty) 2>/dev/null && echo tty; kill -0 {own} && echo signal");
        assert_eq!(
            place.sh(&shell, MODE, &script).stdout.bytes,
            b"",
            "{used:?}"
        );
    }
}

#[test]
fn a_directory_that_cannot_be_entered_is_no_failure_of_the_runner() {
    for (used, shell) in shells("a_directory_that_cannot_be_entered") {
        let place = Place::new();
        std::fs::write(place.ws().join("file"), "x").expect("a file");
        let confined = place.confined(&shell, MODE, &RootRules::new(None), ":");
        for name in ["none", "file"] {
            let options = RunOptions::new(place.ws().join(name), environment());
            let refused = shell.run(&confined, &options).expect_err("no directory");
            assert!(
                matches!(refused, RunError::Directory { .. }),
                "{used:?}: {refused}"
            );
        }
        let policy = place.policy(MODE);
        let empty = shell
            .confine(&[], &policy, &place.roots(MODE))
            .expect("a backend");
        let refused = shell.run(&empty, &place.options()).expect_err("no program");
        assert!(matches!(refused, RunError::Argv), "{used:?}: {refused}");
    }
}

/// Several commands at once do not hold each other's pipes open.
#[test]
fn commands_run_side_by_side() {
    for (used, shell) in shells("commands_run_side_by_side") {
        let place = Place::new();
        let start = Instant::now();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (place, shell) = (&place, &shell);
                scope.spawn(move || {
                    let seconds = if number == 0 { 2 } else { 0 };
                    let finished =
                        place.sh(shell, MODE, &format!("sleep {seconds}; echo {number}"));
                    assert_eq!(finished.stdout.text(), format!("{number}\n"), "{used:?}");
                    let quick = number == 0 || start.elapsed() < Duration::from_millis(1900);
                    assert!(quick, "{used:?}: {number} waited for another command");
                });
            }
        });
    }
}

/// What must be writable for a shell to be of use, in every mode.
#[test]
fn devices_that_hold_nothing_are_writable() {
    for (used, shell) in shells("devices_that_hold_nothing") {
        let place = Place::new();
        let script = "echo x > /dev/null && echo x > /dev/zero && echo x >/dev/stderr && \
                      head -c 1 /dev/urandom > /dev/null && cat <<END\ntext\nEND";
        let finished = place.sh(&shell, Mode::ReadOnly, script);
        assert!(succeeded(&finished), "{used:?}: {finished:?}");
        assert_eq!(finished.stdout.bytes, b"text\n");
    }
}
