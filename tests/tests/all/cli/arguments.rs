//! Command lines that are wrong, and help.

use super::place::Place;

const COMMANDS: [&str; 6] = [
    "run",
    "demo",
    "policy",
    "doctor",
    "component",
    "completions",
];

#[test]
fn a_wrong_command_line_ends_with_2() {
    let place = Place::new();
    let wrong: [&[&str]; 9] = [
        &["nothing"],
        &["--nothing"],
        &["run", "--mode", "everything"],
        &["run", "--approve", "sometimes"],
        &["run", "--gate", "a", "--component", "b"],
        &["run", "--workspace"],
        &["run", "one", "two"],
        &["completions"],
        &["completions", "cmd"],
    ];
    for args in wrong {
        let ended = place.program(args);
        assert_eq!(ended.stdout, "", "{args:?}");
        ended.failed(2);
    }
}

#[test]
fn without_a_command_the_help_is_shown_and_the_line_is_wrong() {
    let place = Place::new();
    let output = place
        .command(super::program::path())
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        COMMANDS.iter().all(|command| text.contains(command)),
        "{text}"
    );
}

#[test]
fn help_names_every_command_and_every_exit_code() {
    let place = Place::new();
    for args in [&["--help"][..], &["-h"], &["help"]] {
        let text = place.program(args).done();
        for command in COMMANDS {
            assert!(
                text.lines()
                    .any(|line| line.trim_start().starts_with(command)),
                "{command}"
            );
        }
        for code in 0..=5 {
            assert!(text.contains(&format!("\n  {code}  ")), "exit code {code}");
        }
    }
    assert!(place.program(["--version"]).done().starts_with("dsh-fs "));
}

#[test]
fn every_command_has_a_help_of_its_own() {
    let place = Place::new();
    for command in COMMANDS {
        let text = place.program([command, "--help"]).done();
        assert!(text.contains(&format!("Usage: dsh-fs {command}")), "{text}");
    }
}

#[test]
fn completions_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.program(["completions", shell]).done();
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("no-temp-roots"), "{shell}");
    }
}

/// Bash itself finds no fault with its script.
#[test]
fn the_script_for_bash_is_bash() {
    let place = Place::new();
    let script = place.program(["completions", "bash"]).done();
    let mut bash = std::process::Command::new("bash");
    let ended = super::program::finish(bash.args(["-n", "-s"]), script.as_bytes());
    assert_eq!(ended.code, Some(0));
}
