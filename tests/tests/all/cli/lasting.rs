//! Sessions that last: one call a process, and processes that are killed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::place::{Place, call, lines};
use super::program::{self, Ended};

impl Place {
    /// One call in a process of its own.
    fn one(&self, session: &str, args: &[&str]) -> Ended {
        let (tool, rest) = args.split_first().expect("a tool");
        let mut all = vec![*tool, "--session", session, "--workspace", "ws"];
        all.extend(["--no-temp-roots", "--mode", "workspace-write"]);
        all.extend(rest);
        self.program(all)
    }

    fn edit_once(&self, session: &str, old: &str, new: &str) -> Ended {
        self.one(session, &["edit", "a.txt", "--old", old, "--new", new])
    }
}

/// Fails without `restore` in `Main::catch_up`, and without `append` in `Main::save`.
#[test]
fn what_one_process_saw_the_next_may_change() {
    let place = Place::with_file("one");
    assert!(place.one("s", &["read", "a.txt"]).done().contains("1: one"));
    place.edit_once("s", "one", "two").done();
    place.edit_once("s", "two", "three").done();
    assert_eq!(place.content("a.txt"), "three");
    let other = place.edit_once("other", "three", "four");
    assert_eq!((other.code, other.stderr.as_str()), (Some(7), ""));
    assert!(other.stdout.contains("reading"), "{}", other.stdout);
    let answer = place.one("other", &["read", "a.txt", "--json"]).done();
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["value"]["totalLines"], 1);
}

/// Fails without `restore_changes` in `Main::catch_up`.
#[test]
fn a_change_is_taken_back_by_another_process() {
    let place = Place::with_file("one");
    place.one("s", &["read", "a.txt"]).done();
    place.edit_once("s", "one", "two").done();
    place.edit_once("s", "two", "three").done();
    for expected in ["two", "one"] {
        place.one("s", &["undo"]).done();
        assert_eq!(place.content("a.txt"), expected);
    }
    assert_eq!(place.one("s", &["undo"]).code, Some(7));
}

/// Fails where `take_up` does not refuse another directory.
#[test]
fn a_session_keeps_its_directory() {
    let place = Place::with_file("one");
    fs::create_dir(place.beside("other")).expect("a directory");
    place.one("s", &["read", "a.txt"]).done();
    let elsewhere = place.program(["read", "--session", "s", "--workspace", "other", "a.txt"]);
    let why = elsewhere.failed(8);
    assert!(why.starts_with("UNKNOWN_SESSION: "), "{why}");
}

/// Fails where `fork_session` copies no pages, or leaves the event out; the grant is the
/// parent's alone, since it names the session.
#[test]
fn a_fork_has_seen_what_its_parent_saw_and_has_its_mode() {
    let place = Place::with_file("one");
    place.one("s", &["read", "a.txt"]).done();
    place
        .program(["session", "mode", "s", "workspace-write"])
        .done();
    place.program(["session", "fork", "s", "kid"]).done();
    let shown = place.program(["session", "show", "kid", "--json"]).done();
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(shown["parent"], "s");
    assert_eq!(shown["modeEvents"][0]["source"], "delegation");
    // The mode is that of the event, and not the read-only one of the command line.
    let args = ["edit", "--session", "kid", "--workspace", "ws", "a.txt"];
    let args = args.into_iter().chain(["--old", "one", "--new", "two"]);
    place.program(args).done();
    assert_eq!(place.content("a.txt"), "two");
    place.program(["session", "forget", "kid"]).done();
    let gone = place.program(["session", "show", "kid"]).failed(8);
    assert!(gone.starts_with("UNKNOWN_SESSION"), "{gone}");
}

/// Fails without the look at `durable.mode()` in `Lanes::catch_up`.
#[test]
fn a_mode_given_elsewhere_counts_from_the_next_call_on() {
    let place = Place::with_file("one");
    let mut run = Running::start(&place);
    let read = call("read", json!({"file_path": "a.txt"}));
    assert_eq!(run.answer(&read)["ok"], true);
    place.program(["session", "mode", "s", "read-only"]).done();
    let edit = json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"});
    let denied = run.answer(&call("edit", edit));
    assert_eq!(denied["code"], "FS_SANDBOX_DENIED");
}

/// Two processes edit in turn, in one session: neither has to read what the other wrote.
/// Fails where `catch_up` does nothing after the first time.
#[test]
fn two_processes_share_one_session() {
    let place = Place::with_file("0");
    let mut runs = [Running::start(&place), Running::start(&place)];
    let read = call("read", json!({"file_path": "a.txt"}));
    assert_eq!(runs[0].answer(&read)["ok"], true);
    for number in 0..10 {
        let (old, new) = (number.to_string(), (number + 1).to_string());
        let edit = json!({"file_path": "a.txt", "old_string": old, "new_string": new});
        let answer = runs[number % 2].answer(&call("edit", edit));
        assert_eq!(answer["ok"], true, "{answer}");
    }
    assert_eq!(place.content("a.txt"), "10");
}

/// A process is killed at moments that wander over its calls. What it acknowledged counts
/// afterwards; what it did not is refused or counts, and never drops a change.
#[test]
fn a_killed_process_loses_at_most_the_call_in_flight() {
    let place = Place::with_file("0");
    place.one("s", &["read", "a.txt"]).done();
    for round in 0..12_u64 {
        let mut run = Running::start(&place);
        let acknowledged = run.count_until_killed(&place, Duration::from_micros(700 * round));
        let now: u64 = place.content("a.txt").parse().expect("a whole number");
        assert!(
            now == acknowledged || now == acknowledged + 1,
            "{now} {acknowledged}"
        );
        let next = place.edit_once("s", &now.to_string(), &(now + 1).to_string());
        if now == acknowledged {
            // Everything that happened was acknowledged: no read is needed.
            next.done();
            continue;
        }
        // The last change was made and not saved, or saved and not told.
        if next.code == Some(7) {
            assert_eq!(place.content("a.txt"), now.to_string());
            place.one("s", &["read", "a.txt"]).done();
        }
    }
}

/// `dsh-fs run` in the session `s`, fed line by line.
struct Running {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Running {
    fn start(place: &Place) -> Self {
        let mut child = place
            .command(program::path())
            .args([
                "run",
                "--workspace",
                "ws",
                "--no-temp-roots",
                "--session",
                "s",
            ])
            .args(["--mode", "workspace-write"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("dsh-fs can be started");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, output }
    }

    fn say(&mut self, call: &Value) -> std::io::Result<()> {
        let input = self.child.stdin.as_mut().expect("it is piped");
        input.write_all(lines(std::slice::from_ref(call)).as_bytes())
    }

    /// The answer; nothing where the process is gone.
    fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    fn answer(&mut self, call: &Value) -> Value {
        self.say(call).expect("it reads");
        self.hear().expect("an answer")
    }

    /// Counts the number in the file up until the process is killed, `after` its first
    /// answer; answers the last number that it acknowledged.
    fn count_until_killed(&mut self, place: &Place, after: Duration) -> u64 {
        let mut number: u64 = place.content("a.txt").parse().expect("a whole number");
        let mut killer = None;
        loop {
            let (old, new) = (number.to_string(), (number + 1).to_string());
            let edit = json!({"file_path": "a.txt", "old_string": old, "new_string": new});
            let said = self.say(&call("edit", edit));
            let Some(answer) = said.ok().and_then(|()| self.hear()) else {
                break;
            };
            assert_eq!(answer["ok"], true, "{answer}");
            number += 1;
            let pid = self.child.id().to_string();
            killer.get_or_insert_with(|| {
                thread::spawn(move || {
                    thread::sleep(after);
                    let kill = ["-c", "kill -9 \"$0\"", &pid];
                    let killed = std::process::Command::new("sh").args(kill).status();
                    assert!(killed.expect("sh can be started").success());
                })
            });
        }
        killer.expect("it answered once").join().expect("it kills");
        number
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
