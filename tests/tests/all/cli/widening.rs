//! Ways in which an agent, or an option, would widen what the deployment allows.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use super::place::{Place, call, code, lines};
use super::program;

/// A policy beside the workspace; `$WS` and `$HERE` are the workspace and what it is in.
fn plant(place: &Place, text: &str) {
    let workspace = place.workspace().canonicalize().expect("it is there");
    let here = workspace.parent().expect("a folder");
    let text = text
        .replace("$WS", workspace.to_str().expect("UTF-8"))
        .replace("$HERE", here.to_str().expect("UTF-8"));
    fs::create_dir_all(place.beside("etc")).expect("a folder");
    let file = place.beside("etc/p.toml");
    fs::write(&file, text).expect("a policy");
    for (path, mode) in [(place.beside("etc"), 0o755), (file, 0o600)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permitted");
    }
}

/// Fails without `without_own_files` in `setup`.
#[test]
fn an_agent_does_not_write_to_the_state_of_this_program() {
    let place = Place::new();
    let write = |path: &str| call("write", json!({"file_path": path, "content": "x"}));
    let state = place.beside("state");
    fs::rename(place.workspace(), place.beside("moved")).expect("moved");
    symlink(".", place.workspace()).expect("a link to what holds the state");
    let calls = [
        write("state/dsh-fs/planted"),
        write("own.db"),
        write("own.db-wal"),
        write("free"),
    ];
    let run = ["--session", "s", "--state", "own.db"];
    let codes = place.codes(&run, &calls);
    let denied = "FS_SANDBOX_DENIED";
    assert_eq!(codes, [denied, denied, denied, "ok"]);
    assert!(!state.join("dsh-fs/planted").exists());
}

/// Fails without `capped` in `Durable::mode`.
#[test]
fn a_stored_mode_is_no_wider_than_the_file_allows_anybody() {
    for (answer, expected) in [("never", "FS_SANDBOX_DENIED"), ("ask", "ok")] {
        let place = Place::new();
        plant(
            &place,
            &format!(
                "mode = \"read-only\"\nworkspace = \"$WS\"\ntemp-roots = false\n\
                 [[escalate]]\nanswer = \"{answer}\"\n"
            ),
        );
        let read = ["read", "--session", "s", "--workspace", "ws", "none"];
        place.program(read);
        place
            .program(["session", "mode", "s", "workspace-write"])
            .done();
        let mut command = place.command(program::path());
        command.args(["run", "--session", "s", "--config", "etc/p.toml"]);
        let write = call("write", json!({"file_path": "new", "content": "x"}));
        let output = program::finish(&mut command, lines(&[write]).as_bytes()).done();
        let answers = super::place::answers(&output);
        assert_eq!(code(&answers[0]), expected, "{answer}");
    }
}

/// Fails without `approve::check`.
#[test]
fn an_option_does_not_answer_for_the_file() {
    let place = Place::new();
    plant(&place, "mode = \"read-only\"\nworkspace = \"$WS\"\n");
    let always = ["--config", "etc/p.toml", "--approve", "always"];
    for command in [vec!["run", "--ephemeral"], vec!["mcp"]] {
        let why = place.program(command.iter().chain(&always)).failed(6);
        assert!(why.contains("CONFIG_WIDENED"), "{why}");
    }
}

/// Each fails without its part of `led_by_agents`.
#[test]
fn an_agent_does_not_lead_a_root_or_choose_the_runner() {
    let place = Place::new();
    // Not where the policy is: what lies beneath a root is refused for another reason.
    fs::create_dir(place.beside("elsewhere")).expect("a folder");
    symlink(place.beside("elsewhere"), place.file("link")).expect("a link");
    fs::write(place.file("runner"), "#!/bin/sh\n").expect("a program");
    let policies = [
        "workspace = \"$WS\"\nroots = [\"$WS/link\"]\n",
        "workspace = \"$WS/link\"\nroots = [\"$WS\"]\n",
        "workspace = \"$WS\"\n[shell]\nbackend = \"custom\"\n\
         runner = { argv = [\"$WS/runner\"], failure = [\"broken\"] }\n",
    ];
    for text in policies {
        plant(&place, text);
        let why = place.program(["policy", "check", "etc/p.toml"]).failed(6);
        assert!(why.contains("CONFIG_UNSAFE_FILE"), "{text}{why}");
    }
}

/// Fails without `named_by` in `Sessions::start`: whoever writes the calls would choose the
/// rule.
#[test]
fn a_call_does_not_choose_a_rule_that_lets_more_through() {
    let place = Place::new();
    plant(
        &place,
        "mode = \"read-only\"\nworkspace = \"$WS\"\ntemp-roots = false\n\
         [[escalate]]\nsession = \"free-*\"\nanswer = \"always\"\n\
         [[escalate]]\nsession = \"ci-*\"\nanswer = \"never\"\n",
    );
    let write = |session: &str| {
        let args = json!({
            "file_path": session, "content": "x",
            "sandbox_permissions": "workspace-write", "justification": "why",
        });
        json!({ "session": session, "tool": "write", "args": args })
    };
    let refused = "ESCALATION_REFUSED";
    for (started, expected) in [
        ("ci-1", [refused, refused, refused]),
        ("main", [refused, refused, refused]),
        ("free-1", ["ok", refused, refused]),
    ] {
        let mut command = place.command(program::path());
        command.args(["run", "--config", "etc/p.toml", "--session", started]);
        let calls = [write("free-2"), write("ci-2"), write("main")];
        let output = program::finish(&mut command, lines(&calls).as_bytes()).done();
        let codes: Vec<_> = super::place::answers(&output).iter().map(code).collect();
        assert_eq!(codes, expected, "{started}");
    }
}

/// Fails without `check_components` in `Setup::open`.
#[test]
fn a_gate_is_not_where_an_agent_could_change_it() {
    let place = Place::new();
    fs::write(place.file("gate.wasm"), "no component").expect("a file");
    fs::write(place.beside("gate.wasm"), "no component").expect("a file");
    symlink(place.beside("gate.wasm"), place.file("link.wasm")).expect("a link");
    plant(&place, "workspace = \"$WS\"\n");
    for option in ["--gate", "--component"] {
        for (file, code) in [("ws/gate.wasm", 6), ("ws/link.wasm", 6), ("gate.wasm", 4)] {
            let args = ["run", "--config", "etc/p.toml", option, file];
            let why = place.program(args).failed(code);
            assert_eq!(
                why.contains("CONFIG_UNSAFE_FILE"),
                code == 6,
                "{file}: {why}"
            );
        }
        // Without a file whoever starts the program answers for what it names.
        place.program(["run", option, "ws/gate.wasm"]).failed(4);
    }
}

/// Fails without `current_dir` in `exec`.
#[test]
fn a_command_starts_in_the_workspace() {
    let place = Place::new();
    let exec = ["exec", "--workspace", "ws", "--", "pwd"];
    let ended = place.program(exec);
    if ended.code == Some(212) {
        println!("SKIPPED a_command_starts_in_the_workspace: nothing confines commands here");
        return;
    }
    let workspace = place.workspace().canonicalize().expect("it is there");
    assert_eq!(ended.stdout.trim_end(), workspace.to_str().expect("UTF-8"));
}
