//! A folder for one test: a workspace, and room beside it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{self, Ended};

/// A workspace in a folder that goes when the test ends.
pub(super) struct Place(TempDir);

impl Place {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        fs::create_dir(folder.path().join("ws")).expect("a workspace");
        Self(folder)
    }

    /// A place whose workspace has one file, `a.txt`.
    pub(super) fn with_file(content: impl AsRef<[u8]>) -> Self {
        let place = Self::new();
        fs::write(place.file("a.txt"), content).expect("a file");
        place
    }

    /// Beside the workspace.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn workspace(&self) -> PathBuf {
        self.beside("ws")
    }

    /// In the workspace.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.workspace().join(name)
    }

    pub(super) fn content(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect("a text")
    }

    /// The program, with a state folder and a temporary folder of this place.
    pub(super) fn command(&self, program: &Path) -> Command {
        let temporary = self.beside("tmp");
        fs::create_dir_all(&temporary).expect("a folder");
        let mut command = Command::new(program);
        command.current_dir(self.0.path());
        command
            .env("XDG_STATE_HOME", self.beside("state"))
            .env("TMPDIR", temporary);
        command
    }

    /// Runs the program with these arguments and nothing to read.
    pub(super) fn program<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ended {
        program::finish(self.command(program::path()).args(args), b"")
    }

    /// `dsh-fs run` in the workspace, which alone may be written.
    pub(super) fn run(&self, args: &[&str], input: &[u8]) -> Ended {
        let mut command = self.command(program::path());
        command.args(["run", "--workspace", "ws", "--no-temp-roots"]);
        if !args.contains(&"--mode") {
            command.args(["--mode", "workspace-write"]);
        }
        program::finish(command.args(args), input)
    }

    /// The answers to lines of any content.
    pub(super) fn answers_to(&self, args: &[&str], input: &[u8]) -> Vec<Value> {
        answers(&self.run(args, input).done())
    }

    /// The answers to calls, one each.
    pub(super) fn answers(&self, args: &[&str], calls: &[Value]) -> Vec<Value> {
        let answers = self.answers_to(args, lines(calls).as_bytes());
        assert_eq!(answers.len(), calls.len());
        answers
    }

    /// The codes of the answers to calls: `ok` for one that was carried out.
    pub(super) fn codes(&self, args: &[&str], calls: &[Value]) -> Vec<String> {
        self.answers(args, calls).iter().map(code).collect()
    }
}

/// A call without an id.
pub(super) fn call(tool: &str, args: Value) -> Value {
    json!({ "tool": tool, "args": args })
}

/// Calls as lines.
pub(super) fn lines(calls: &[Value]) -> String {
    calls.iter().map(|call| format!("{call}\n")).collect()
}

/// Answers of lines; each is an object with the documented fields.
pub(super) fn answers(output: &str) -> Vec<Value> {
    let answers: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for answer in &answers {
        let ok = answer["ok"].as_bool().expect("ok is a boolean");
        assert!(
            answer["text"].is_string() && answer.get("id").is_some(),
            "{answer}"
        );
        assert_eq!(answer.get("code").is_some(), !ok, "{answer}");
        assert_eq!(answer.get("value").is_some(), ok, "{answer}");
    }
    answers
}

/// The code of an answer, or `ok`.
pub(super) fn code(answer: &Value) -> String {
    answer["code"].as_str().unwrap_or("ok").to_owned()
}
