//! What is kept beside files and what runs beside them: workspaces, commands, and answers
//! of a person at a terminal.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::place::Place;
use super::program;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Fails where a second spelling makes a second workspace, and where a new session is not
/// attached.
#[test]
fn a_workspace_is_a_directory_and_its_sessions() {
    let place = Place::with_file("one");
    let create = |folder: &str| {
        let made = place.program(["workspace", "create", folder, "--title", "T", "--json"]);
        json(&made.done())
    };
    let made = create("ws");
    assert_eq!(create("ws/../ws/.")["id"], made["id"]);
    place
        .program(["read", "--session", "s", "--workspace", "ws", "a.txt"])
        .done();
    let id = made["id"].as_str().expect("an id");
    let shown = json(&place.program(["workspace", "show", id, "--json"]).done());
    assert_eq!(shown["sessions"], serde_json::json!(["s"]));
    assert_eq!(shown["status"], "ok");
    let found = json(
        &place
            .program(["workspace", "resolve", "ws", "--json"])
            .done(),
    );
    assert_eq!(found["id"], made["id"]);
    place.program(["workspace", "detach", id, "s"]).done();
    place.program(["workspace", "delete", id]).done();
    place.program(["workspace", "show", id]).failed(8);
}

fn exec(place: &Place, mode: &str, script: &str) -> program::Ended {
    let args = [
        "exec",
        "--workspace",
        "ws",
        "--no-temp-roots",
        "--mode",
        mode,
    ];
    let args = args.into_iter().chain(["--", "sh", "-c", script]);
    program::finish(place.command(program::path()).args(args), b"in")
}

/// Fails where the command runs unconfined, and where its code or streams are not its own.
#[test]
fn a_command_has_its_streams_and_code_and_writes_where_it_may() {
    let place = Place::new();
    let ended = exec(&place, "workspace-write", "cat; echo x > made; exit 7");
    if ended.code == Some(212) {
        println!("SKIPPED exec: {}", ended.stderr);
        return;
    }
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(7), "in"));
    assert_eq!(place.content("made"), "x\n");
    let outside = place.beside("out").display().to_string();
    for (mode, path) in [("workspace-write", outside.as_str()), ("read-only", "x")] {
        let script = format!("echo x 2>/dev/null > '{path}' || echo y > '{path}'");
        let command = exec_unchecked(&place, mode, &script);
        assert_eq!(command.0, Some(210), "{}", command.1);
        assert!(
            command.1.contains("policy kept the command"),
            "{}",
            command.1
        );
    }
    assert!(!place.beside("out").exists() && !place.file("x").exists());
}

/// The code and standard error, on which the command may write too.
fn exec_unchecked(place: &Place, mode: &str, script: &str) -> (Option<i32>, String) {
    let args = [
        "exec",
        "--workspace",
        "ws",
        "--no-temp-roots",
        "--mode",
        mode,
    ];
    let args = args.into_iter().chain(["--", "sh", "-c", script]);
    let output = place.command(program::path()).args(args).output();
    let output = output.expect("dsh-fs can be started");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
}

/// A person at a terminal says yes for the session, once; the second process does not ask.
/// Without a terminal nobody can be asked. Fails where the answer is not kept, and where
/// an unanswered question is a yes.
#[test]
fn a_person_at_a_terminal_is_asked_once() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("SKIPPED a_person_at_a_terminal_is_asked_once: there is no script(1)");
        return;
    }
    let place = Place::new();
    let out = place.beside("out").display().to_string();
    let write = |content: &str| {
        format!(
            "'{}' write --session s --workspace ws --mode workspace-write --no-temp-roots \
             --content {content} --sandbox-permissions danger-full-access \
             --justification because '{out}'",
            program::path().display()
        )
    };
    let terminal = |command: &str, keys: &str| {
        let typed = format!("(sleep 3; printf '{keys}'; sleep 3) | script -qec \"$0\" /dev/null");
        let mut shell = place.command("sh".as_ref());
        let output = shell.args(["-c", &typed, command]).output();
        String::from_utf8_lossy(&output.expect("sh can be started").stdout).into_owned()
    };
    // In a session of its own, a process has no terminal.
    let mut alone = place.command("setsid".as_ref());
    let alone = alone.args(["-w", "sh", "-c", &write("0")]).output();
    assert_eq!(alone.expect("setsid can be started").status.code(), Some(7));
    assert!(!place.beside("out").exists());

    let shown = terminal(&write("1"), "s\\n");
    assert!(shown.contains("[s]ession"), "{shown}");
    assert_eq!(fs::read_to_string(&out).expect("it was written"), "1");
    let grants = json(&place.program(["grant", "list", "--json"]).done());
    assert_eq!(grants["grants"][0]["scope"], "session");

    let again = terminal(&write("2"), "n\\n");
    assert!(!again.contains("[s]ession"), "{again}");
    assert_eq!(fs::read_to_string(&out).expect("it was written"), "2");
    let id = grants["grants"][0]["id"].to_string();
    place.program(["grant", "revoke", &id]).done();
    place.program(["grant", "revoke", &id]).failed(8);
}
