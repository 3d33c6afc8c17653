//! A runner that fails is told from a command that fails, and from one that is denied.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;
use dsh_fs_confine::{Backend, Runner, Shell, ShellOptions, Used, Verdict};

use crate::place::{Place, everywhere, mode, options, sh, shells};

const MODE: Mode = Mode::WorkspaceWrite;

fn script(place: &Place, name: &str, text: &str) -> std::path::PathBuf {
    let path = place.base().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it is ours");
    path
}

/// Without the report (`--json-status-fd`) the words decide, and the runner is blamed.
#[test]
fn a_command_that_sounds_like_the_runner_is_not_taken_for_it() {
    for (used, shell) in shells("a_command_that_sounds_like_the_runner") {
        let place = Place::new();
        let words = "echo 'bwrap: execvp x' >&2; echo 'landlock-run: exec failed' >&2; exit 125";
        let finished = place.sh(&shell, MODE, words);
        assert_eq!(finished.verdict, Verdict::Failed(125), "{used:?}");
    }
}

/// The report comes over a pipe that the command does not have; nor does it have what the
/// embedder left open, which `close_at_start` closes.
#[test]
fn a_command_has_no_descriptor_but_its_own() {
    let left_open = std::fs::File::open("/dev/null").expect("a device");
    rustix::io::fcntl_setfd(&left_open, rustix::io::FdFlags::empty()).expect("it is open");
    for (used, shell) in shells("a_command_has_no_descriptor_but_its_own") {
        let place = Place::new();
        let open = place
            .sh(&shell, MODE, "cd /proc/self/fd && echo *")
            .stdout
            .text();
        // The last one is the directory that the shell reads.
        assert_eq!(open.trim(), "0 1 2 3", "{used:?}");
    }
}

/// As shells have it. Without `program::missing` the runner is blamed under bubblewrap,
/// and without `tell` under Landlock.
#[test]
fn a_program_that_cannot_be_started_is_told_from_a_runner_that_failed() {
    for (used, shell) in everywhere("a_program_that_cannot_be_started") {
        let place = Place::new();
        std::fs::write(place.ws().join("text"), "x").expect("a file");
        let none = "#!/no/such/interpreter\n";
        std::fs::write(place.ws().join("script"), none).expect("a file");
        let executable = PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(place.ws().join("script"), executable).expect("ours");
        let cases = [
            ("/no/such/program", 127),
            ("no-such-program", 127),
            ("./script", 127),
            ("./text", 126),
            ("/etc", 126),
        ];
        for (program, expected) in cases {
            let finished = place.run(&shell, &place.program(&shell, mode(used), program));
            let Verdict::NoProgram { code, reason } = &finished.verdict else {
                panic!("{used:?}: {program}: {finished:?}");
            };
            assert_eq!(*code, expected, "{used:?}: {program}: {reason}");
            assert!(reason.contains(program), "{reason}");
        }
    }
}

/// A command that ends with these codes by itself was started.
#[test]
fn the_codes_of_a_shell_are_the_commands_own() {
    for (used, shell) in everywhere("the_codes_of_a_shell") {
        let place = Place::new();
        for code in [1, 125, 126, 127, 211] {
            let words =
                format!("echo 'bwrap: execvp x: No such file or directory' >&2; exit {code}");
            let finished = place.sh(&shell, mode(used), &words);
            assert_eq!(finished.verdict, Verdict::Failed(code), "{used:?}");
        }
    }
}

/// A mount that cannot be made: bubblewrap ends before it reaches the command.
#[test]
fn a_runner_that_ends_before_the_command_has_failed() {
    let shells = shells("a_runner_that_ends_before_the_command");
    for (_, shell) in shells.iter().filter(|(used, _)| *used == Used::Bubblewrap) {
        let place = Place::new();
        let rules = RootRules::workspace_only();
        let mut confined = place.confined(shell, MODE, &rules, "touch ran");
        confined
            .argv
            .splice(1..1, ["--bind", "/no/such", "/no/such"].map(OsString::from));
        let finished = place.run(shell, &confined);
        let Verdict::RunnerFailed(reason) = &finished.verdict else {
            panic!("{finished:?}");
        };
        assert!(reason.starts_with("bwrap: "), "{reason}");
        assert!(!place.ws().join("ran").exists());
    }
}

fn on(program: &Path) -> Shell {
    Shell::new(ShellOptions {
        bubblewrap: program.to_owned(),
        ..options(Backend::Bubblewrap)
    })
}

/// Each is a machine on which bubblewrap does not work; what it says is in the refusal.
#[test]
fn a_runner_that_does_not_work_is_found_out_by_the_probe() {
    let place = Place::new();
    let refuses = script(
        &place,
        "refuses",
        "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
    );
    let hangs = script(&place, "hangs", "exec sleep 60");
    let cases = [
        (Path::new("/no/such/bwrap").to_owned(), "No such file"),
        (Path::new("no-such-program").to_owned(), "is not installed"),
        (refuses, "No permissions to create new namespace"),
        (hangs, "did not answer within"),
    ];
    for (program, reason) in cases {
        let mut options = on(&program).options().clone();
        options.probe_timeout = std::time::Duration::from_millis(300);
        let shell = Shell::new(options);
        let roots = place.roots(MODE);
        let refused = shell.confine(&sh(":"), &place.policy(MODE), &roots);
        let refused = refused.expect_err("it does not work").to_string();
        assert!(refused.contains(reason), "{program:?}: {refused}");
        assert!(
            refused.contains("sandbox mode \"workspace-write\""),
            "{refused}"
        );
    }
}

/// It worked when it was probed, and does not any more.
#[test]
fn a_runner_that_breaks_after_the_probe_has_failed() {
    let place = Place::new();
    let broken = script(
        &place,
        "bwrap",
        "[ -e broken ] && { echo 'bwrap: broken' >&2; exit 1; }; exit 0",
    );
    let shell = on(&broken);
    let confined = place.confined(&shell, MODE, &RootRules::workspace_only(), ":");
    std::fs::write(place.ws().join("broken"), "").expect("a file");
    let finished = place.run(&shell, &confined);
    assert_eq!(
        finished.verdict,
        Verdict::RunnerFailed("bwrap: broken".to_owned())
    );
    std::fs::remove_file(&broken).expect("it is ours");
    let finished = place.run(&shell, &confined);
    assert!(
        matches!(finished.verdict, Verdict::RunnerFailed(_)),
        "{finished:?}"
    );
}

/// It says nothing, and ends with 0, but did not report that the command ran.
#[test]
fn a_runner_that_reports_nothing_is_not_believed() {
    let place = Place::new();
    let shell = on(&script(&place, "bwrap", "exit 0"));
    let confined = place.confined(&shell, MODE, &RootRules::workspace_only(), "touch ran");
    let finished = place.run(&shell, &confined);
    assert!(
        matches!(finished.verdict, Verdict::RunnerFailed(_)),
        "{finished:?}"
    );
}

#[test]
fn a_custom_runner_gets_the_arguments_and_is_told_by_its_signatures() {
    let place = Place::new();
    let text = "[ -e ready ] || { echo 'my: fatal' >&2; exit 9; }\n\
                while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"";
    let runner = script(&place, "runner", text);
    let runner = Runner::new(vec![runner.into()], vec!["my: fatal".to_owned()]).expect("usable");
    let shell = Shell::new(options(Backend::Custom(runner)));
    let failed = place.sh(&shell, MODE, "echo hi");
    assert_eq!(
        failed.verdict,
        Verdict::RunnerFailed("my: fatal".to_owned())
    );
    std::fs::write(place.ws().join("ready"), "").expect("a file");
    let ran = place.sh(&shell, MODE, "echo hi");
    assert_eq!(ran.stdout.bytes, b"hi\n");
}

/// A runner that denies in words of its own, once without them and once with them. Fails
/// where `dialect` leaves the runner's denials out.
#[test]
fn a_custom_runner_denies_in_its_own_words() {
    let place = Place::new();
    let text = "echo 'my: kept you from it' >&2; exit 4";
    let command = vec![script(&place, "runner", text).into()];
    let runner = Runner::new(command, vec!["my: fatal".to_owned()]).expect("usable");
    let told = runner
        .clone()
        .with_denials(vec!["my: kept".to_owned()])
        .expect("usable");
    let verdict = |runner| {
        let shell = Shell::new(options(Backend::Custom(runner)));
        let confined = place.confined(&shell, MODE, &RootRules::workspace_only(), ":");
        confined.classify(Some(4), "my: kept you from it")
    };
    assert_eq!(verdict(runner.clone()), Verdict::Failed(4));
    let line = "my: kept you from it".to_owned();
    assert_eq!(verdict(told), Verdict::Denied { code: 4, line });
    for unusable in ["", " ", "a\nb"] {
        assert!(
            runner
                .clone()
                .with_denials(vec![unusable.to_owned()])
                .is_err()
        );
    }
}

#[test]
fn a_runner_without_signatures_is_refused() {
    let command = || vec![OsString::from("my"), "box".into()];
    for signatures in [vec![], vec!["  "], vec!["a\nb"], vec!["ok", "a\rb"]] {
        let signatures = signatures.into_iter().map(str::to_owned).collect();
        assert!(Runner::new(command(), signatures).is_err());
    }
    assert!(Runner::new(Vec::new(), vec!["x".to_owned()]).is_err());
    assert!(Runner::new(command(), vec!["my: fatal".to_owned()]).is_ok());
}
