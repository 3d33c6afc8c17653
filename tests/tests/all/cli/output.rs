//! Where the output goes: pipes that end, and colours.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use super::place::{Place, call, lines};
use super::program;

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

/// With `println!` in the place of `say!` each of these panics; without the first arm in
/// `output::bytes` each says that a pipe is broken.
#[test]
fn a_closed_output_ends_with_1_and_without_a_word() {
    let place = Place::with_file("x");
    let calls = lines(&[call("read", json!({"file_path": "a.txt"}))]);
    let commands: [&[&str]; 8] = [
        &["run", "--workspace", "ws"],
        &["demo"],
        &["policy", "--workspace", "ws"],
        &["policy", "--workspace", "ws", "--json"],
        &["doctor", "ws"],
        &["component"],
        &["component", "--json"],
        &["completions", "bash"],
    ];
    for args in commands {
        let mut command = place.command(program::path());
        command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(closed())
            .stderr(Stdio::piped());
        let mut running = command.spawn().expect("it starts");
        // A command that reads nothing may have ended already.
        let mut input = running.stdin.take().expect("it is piped");
        input.write_all(calls.as_bytes()).unwrap_or_default();
        drop(input);
        let output = running.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {errors}");
        assert_eq!(errors, "", "{args:?}");
    }
    let left = std::fs::read_dir(place.beside("tmp")).expect("a directory");
    assert_eq!(left.count(), 0, "the demo removes its folder also then");
}

#[test]
fn an_output_that_fails_is_told() {
    let place = Place::new();
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut command = place.command(program::path());
    command
        .args(["policy", "--workspace", "ws"])
        .stdout(full.expect("every Linux has it"));
    let output = command.stderr(Stdio::piped()).output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.starts_with("dsh-fs: error: standard output: "),
        "{errors}"
    );
}

#[test]
fn closed_errors_are_no_panic_either() {
    let place = Place::new();
    let mut command = place.command(program::path());
    command
        .args(["run", "--workspace", "missing"])
        .stderr(closed());
    assert_eq!(command.status().expect("it ends").code(), Some(3));
    std::fs::write(place.beside("taken"), "").expect("a file");
    let mut command = place.command(program::path());
    command
        .args(["policy", "--workspace", "ws"])
        .stdout(Stdio::null());
    command
        .env("XDG_STATE_HOME", place.beside("taken"))
        .stderr(closed());
    assert_eq!(command.status().expect("it ends").code(), Some(0));
    let mut command = place.command(program::path());
    command.arg("nothing").stderr(closed());
    assert_eq!(command.status().expect("it ends").code(), Some(2));
}

/// What the demo prints on a terminal, which the program `script` of util-linux makes.
fn on_terminal(no_color: Option<&str>) -> Option<String> {
    let place = Place::new();
    let mut command = place.command("script".as_ref());
    let demo = format!("'{}' demo", program::path().display());
    command.args(["--quiet", "--return", "--command", &demo, "/dev/null"]);
    command.env_remove("NO_COLOR").stdin(Stdio::null());
    if let Some(value) = no_color {
        command.env("NO_COLOR", value);
    }
    let output = command.output().ok()?;
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn colours_are_for_terminals_and_no_color_is_respected() {
    assert!(!Place::new().program(["demo"]).done().contains('\x1b'));
    let Some(text) = on_terminal(None) else {
        println!("SKIPPED the colours: there is no program `script`");
        return;
    };
    assert!(text.contains("\x1b["));
    assert!(
        on_terminal(Some("")).is_some_and(|text| text.contains("\x1b[")),
        "an empty one is none"
    );
    assert!(on_terminal(Some("1")).is_some_and(|text| !text.contains('\x1b')));
}
