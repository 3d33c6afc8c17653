//! Changes of several files on the command line: all or nothing, also across a crash.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::place::{Place, call, lines};
use super::program::{self, Ended};

/// How many files one change has here: enough to be killed in the middle.
const FILES: usize = 60;

fn name(number: usize) -> String {
    format!("{number:02}.txt")
}

fn replacement(number: usize, old: &str, new: &str) -> Value {
    json!({ "file_path": name(number), "old_string": old, "new_string": new })
}

impl Place {
    /// Files that the session `s` has seen.
    fn with_seen_files(count: usize) -> Self {
        let place = Self::new();
        let mut reads = Vec::new();
        for number in 0..count {
            fs::write(place.file(&name(number)), "old\n").expect("a file");
            reads.push(call("read", json!({ "file_path": name(number) })));
        }
        let codes = place.codes(&["--session", "s"], &reads);
        assert!(codes.iter().all(|code| code == "ok"), "{codes:?}");
        place
    }

    fn in_session(&self, args: &[&str], input: &str) -> Ended {
        let mut command = self.command(program::path());
        command.args(args);
        command.args(["--session", "s", "--workspace", "ws", "--no-temp-roots"]);
        command.args(["--mode", "workspace-write", "--audit", "audit"]);
        program::finish(&mut command, input.as_bytes())
    }

    fn contents(&self, count: usize) -> Vec<String> {
        (0..count)
            .map(|number| self.content(&name(number)))
            .collect()
    }

    /// The journals, which only the middle of a change leaves.
    fn journals(&self) -> usize {
        let folder = self.beside("state/dsh-fs/transactions");
        fs::read_dir(folder).expect("its folder").count()
    }

    /// Kills a change of all files once some of them are changed, and not the last.
    fn kill_in_the_middle(&self, edits: &Value) {
        let mut command = self.command(program::path());
        command.args(["multi-edit", "--session", "s", "--workspace", "ws"]);
        command.args(["--no-temp-roots", "--mode", "workspace-write"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut running = command.spawn().expect("dsh-fs can be started");
        let mut input = running.stdin.take().expect("it is piped");
        write!(input, "{edits}").expect("it reads");
        drop(input);
        let started = Instant::now();
        while self.content(&name(2)) == "old\n" {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing moves");
            sleep(Duration::from_micros(200));
        }
        running.kill().expect("it runs");
        running.wait().expect("it ends");
    }
}

/// Fails where the CLI hands no journals on: the answer says then that a crash would leave
/// the middle.
#[test]
fn a_change_of_several_files_is_made_and_taken_back_as_one() {
    let place = Place::with_seen_files(3);
    let edits = json!([
        replacement(0, "old", "new"),
        replacement(1, "old", "new"),
        replacement(0, "new", "newer"),
    ]);
    let made = place.in_session(&["multi-edit", "--json"], &edits.to_string());
    let made: Value = serde_json::from_str(&made.done()).expect("JSON");
    assert_eq!(made["value"]["survivesACrash"], true);
    assert_eq!(made["value"]["changes"].as_array().map(Vec::len), Some(3));
    assert_eq!(place.contents(3), ["newer\n", "new\n", "old\n"]);

    let undone = place.in_session(&["undo", "--json"], "");
    let undone: Value = serde_json::from_str(&undone.done()).expect("JSON");
    let changes = undone["value"]["changes"].as_array().expect("every file");
    assert_eq!(changes.len(), 2);
    assert_eq!(place.contents(3), ["old\n"; 3]);
    assert_eq!(place.journals(), 0);
}

#[test]
fn one_edit_that_fails_takes_the_others_along() {
    let place = Place::with_seen_files(2);
    let edits = json!([
        replacement(0, "old", "new"),
        replacement(1, "missing", "new")
    ]);
    let refused = place.in_session(&["multi-edit"], &edits.to_string());
    assert_eq!(refused.code, Some(7), "{}", refused.stderr);
    assert_eq!(place.contents(2), ["old\n"; 2]);
    assert_eq!(place.journals(), 0);
}

/// Fails without `harness.recover()` in `Setup::start`: every other file stays changed.
/// `exec` fails without its own call of `recover`.
#[test]
fn the_next_start_rolls_back_what_was_killed_in_the_middle() {
    let edits: Value = (0..FILES)
        .map(|number| replacement(number, "old", "new"))
        .collect();
    let place = Place::with_seen_files(FILES);
    for next in ["read", "run", "exec"] {
        place.kill_in_the_middle(&edits);
        let middle = place.contents(FILES);
        assert_eq!(middle[FILES - 1], "old\n", "it was killed too late");
        assert_eq!(place.journals(), 1);

        let started = match next {
            "read" => place.in_session(&["read", "00.txt"], ""),
            "run" => place.in_session(&["run"], &lines(&[])),
            _ => place.exec(),
        };
        assert_eq!(started.code, Some(0), "{}", started.stderr);
        let note = "dsh-fs: note: A crash interrupted multi_edit of session s.\n";
        assert!(started.stderr.starts_with(note), "{}", started.stderr);
        assert!(started.stderr.contains("00.txt"), "{}", started.stderr);
        assert_eq!(place.contents(FILES), vec!["old\n"; FILES]);
        assert_eq!(place.journals(), 0);
        place.in_session(&["read", "00.txt"], "").done();
    }
    let audit = fs::read_to_string(place.beside("audit")).expect("an audit");
    let told = audit.matches("\"transaction-rolled-back\"").count();
    assert_eq!(told, 3, "{audit}");
    // What was staged for the files is gone as well.
    let left = fs::read_dir(place.workspace())
        .expect("a directory")
        .count();
    assert_eq!(left, FILES);
}

impl Place {
    fn exec(&self) -> Ended {
        let args = ["exec", "--workspace", "ws", "--no-temp-roots"];
        let rest = ["--mode", "danger-full-access", "--audit", "audit"];
        let command = ["--", "true"];
        self.program(args.into_iter().chain(rest).chain(command))
    }
}
