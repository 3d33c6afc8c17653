//! What the program keeps for itself: old texts, journals, its secret, the database, the
//! audit.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::place::{Place, answers, call, code, lines};
use super::program;

const STATE: [&str; 4] = ["--session", "s", "--state", "own.db"];

/// A place in which a text was displaced that nobody may read any more, and the paths of
/// everything that is kept.
fn kept() -> (Place, Vec<PathBuf>) {
    let place = Place::with_file("the old secret");
    let calls = [
        call("read", json!({"file_path": "a.txt"})),
        call("write", json!({"file_path": "a.txt", "content": "new"})),
    ];
    assert_eq!(place.codes(&STATE, &calls), ["ok", "ok"]);
    let mut files = Vec::new();
    every_file(&place.beside("state"), &mut files);
    let holds = |file: &PathBuf| {
        let bytes = fs::read(file).expect("it is there");
        bytes.windows(14).any(|part| part == b"the old secret")
    };
    assert!(files.iter().any(holds), "{files:?}");
    files.push(place.beside("own.db"));
    (place, files)
}

fn every_file(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => every_file(&path, found),
            false => found.push(path),
        }
    }
}

fn read(path: impl AsRef<Path>) -> Value {
    call("read", json!({"file_path": path.as_ref()}))
}

/// Each of these fails without `with_own` in `without_own_files`; those through `/proc`
/// without `of_a_process` in `Roots::denies_reading`.
#[test]
fn no_tool_reads_what_the_program_keeps_in_any_mode() {
    let (place, files) = kept();
    symlink(&files[0], place.file("link")).expect("a link");
    let mut calls: Vec<Value> = files.iter().map(read).collect();
    calls.push(read("link"));
    calls.push(call(
        "list",
        json!({"file_path": place.beside("state/dsh-fs")}),
    ));
    calls.extend((3..20).map(|number| read(format!("/proc/self/fd/{number}"))));
    calls.push(read("/proc/self/environ"));
    calls.push(call(
        "write",
        json!({"file_path": place.beside("own.db-wal"), "content": "x"}),
    ));
    for mode in ["read-only", "workspace-write", "danger-full-access"] {
        let args = [&STATE[..], &["--mode", mode]].concat();
        for (call, code) in calls.iter().zip(place.codes(&args, &calls)) {
            assert_eq!(code, "FS_SANDBOX_DENIED", "{mode}: {call}");
        }
    }
    let beside = [read(place.beside("ws/a.txt"))];
    assert_eq!(place.codes(&STATE, &beside), ["ok"]);
}

/// A yes of a person does not lead there either. Fails without `with_own` in
/// `without_own_files`.
#[test]
fn no_approval_leads_to_what_the_program_keeps() {
    let (place, _) = kept();
    let planted = place.beside("state/dsh-fs/planted");
    let asks = json!({
        "file_path": planted, "content": "x",
        "sandbox_permissions": "danger-full-access", "justification": "why",
    });
    let args = [&STATE[..], &["--approve", "always"]].concat();
    let codes = place.codes(&args, &[call("write", asks)]);
    assert_ne!(codes, ["ok"]);
    assert!(!planted.exists());
}

/// The answer to a command, under a policy file with this shell.
fn command(place: &Place, shell: &str, line: &str) -> Value {
    let policy = format!(
        "mode = \"workspace-write\"\nworkspace = \"{}\"\ntemp-roots = false\n\
         [shell]\nbackend = \"{shell}\"\non-partial = \"refuse\"\n",
        place
            .workspace()
            .canonicalize()
            .expect("it is there")
            .display()
    );
    fs::create_dir_all(place.beside("etc")).expect("a folder");
    fs::write(place.beside("etc/p.toml"), policy).expect("a policy");
    let mut run = place.command(program::path());
    run.args(["run", "--config", "etc/p.toml"]).args(STATE);
    let calls = lines(&[call("bash", json!({"command": line}))]);
    answers(&program::finish(&mut run, calls.as_bytes()).done()).remove(0)
}

/// Fails without `own` in `hide` of `bubblewrap.rs`.
#[test]
fn a_command_under_bubblewrap_does_not_see_it() {
    let (place, files) = kept();
    let answer = command(&place, "bubblewrap", "true");
    if code(&answer) == "SANDBOX_UNAVAILABLE" {
        println!("SKIPPED a_command_under_bubblewrap_does_not_see_it: {answer}");
        return;
    }
    for file in files {
        let answer = command(&place, "bubblewrap", &format!("cat '{}'", file.display()));
        let text = answer["text"].as_str().expect("a text");
        assert_ne!(answer["value"]["exitCode"], 0, "{}: {text}", file.display());
        assert!(!text.contains("the old secret"), "{text}");
    }
}

/// Landlock cannot hide; commands run all the same, also where a part is not enough. Fails
/// where `Hidden::of` takes what is the host's own for a rule of the deployment.
#[test]
fn what_landlock_cannot_hide_refuses_no_command() {
    let (place, _) = kept();
    let answer = command(&place, "landlock", "echo ran");
    if code(&answer) == "SANDBOX_UNAVAILABLE" && !answer["text"].to_string().contains("in part") {
        println!("SKIPPED what_landlock_cannot_hide_refuses_no_command: {answer}");
        return;
    }
    assert_eq!(answer["value"]["stdout"], "ran\n", "{answer}");
    assert_eq!(answer["value"]["enforcement"], "full", "{answer}");
}

/// Fails where `exec` opens its deployment without `keeping`.
#[test]
fn a_command_that_a_person_starts_does_not_remove_its_audit_either() {
    let place = Place::new();
    let exec = ["exec", "--workspace", "ws", "--no-temp-roots", "--verbose"];
    let rest = ["--mode", "workspace-write", "--audit", "ws/a.jsonl", "--"];
    let command = ["sh", "-c", "rm -f ws/a.jsonl a.jsonl; true"];
    let mut whole = place.command(program::path());
    whole.args(exec).args(rest).args(command);
    let errors = String::from_utf8(whole.output().expect("it starts").stderr).expect("UTF-8");
    if !errors.contains("bubblewrap, enforcement") {
        let test = "a_command_that_a_person_starts_does_not_remove_its_audit_either";
        println!("SKIPPED {test}: {errors}");
        return;
    }
    let text = fs::read_to_string(place.file("a.jsonl")).expect("the audit is there");
    assert!(text.contains("\"confined\""), "{text}");
}

/// Each part fails without `audit` in `without_own_files`.
#[test]
fn an_audit_beneath_a_root_is_not_changed_by_agents() {
    let place = Place::with_file("one");
    fs::create_dir(place.file("logs")).expect("a folder");
    fs::write(place.beside("far.jsonl"), "").expect("a file");
    symlink(place.beside("far.jsonl"), place.file("near.jsonl")).expect("a link");
    // Of a link a command can remove the link; what it leads to stays.
    for (audit, real) in [
        ("ws/logs/audit.jsonl", "ws/logs/audit.jsonl"),
        ("ws/near.jsonl", "far.jsonl"),
    ] {
        let inner = audit.strip_prefix("ws/").expect("beneath the workspace");
        let calls = [
            read(inner),
            call("write", json!({"file_path": inner, "content": ""})),
            call(
                "bash",
                json!({"command": format!("rm -f {inner}; mv logs gone; true")}),
            ),
            call("write", json!({"file_path": "free", "content": "x"})),
        ];
        let answers = place.answers(&["--audit", audit], &calls);
        let codes: Vec<_> = answers.iter().map(code).collect();
        assert_eq!(
            [&codes[1], &codes[3]],
            ["FS_SANDBOX_DENIED", "ok"],
            "{audit}"
        );
        if answers[2]["value"]["backend"] == "bubblewrap" {
            let text = fs::read_to_string(place.beside(real)).expect("the audit is there");
            assert!(text.contains("\"published\""), "{text}");
        } else {
            println!(
                "SKIPPED a command and the audit: no bubblewrap: {}",
                answers[2]
            );
        }
        fs::remove_file(place.file("free")).expect("it was made");
    }
}
