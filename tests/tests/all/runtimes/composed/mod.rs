//! The composed command over one folder that is given to it, in every runtime that runs
//! WASI programs: read, write, edit and list under a policy, without a host of ours.

mod escape;
mod stock;
mod works;

pub(super) use stock::adapter;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::components;

/// Starts the command in some runtime, over this folder; arguments of its own may follow.
type Start = Box<dyn Fn(&Path) -> Command>;

/// The command in a runtime, and a folder as a person gives it.
pub(super) struct Composed {
    starts: Start,
    place: TempDir,
}

impl Composed {
    /// Over an empty folder `ws`, which has a neighbour to which nothing may lead.
    fn new(starts: Start) -> Self {
        let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        fs::create_dir(place.path().join("ws")).expect("a workspace");
        Self { starts, place }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.path().join("ws").join(name)
    }

    /// Runs the command over the workspace; its exit code, output and errors.
    fn run(&self, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
        self.run_over(&self.place.path().join("ws"), arguments, input)
    }

    fn start(&self, folder: &Path, arguments: &[&str]) -> Child {
        let mut program = (self.starts)(folder);
        program
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        program.spawn().expect("the runtime starts")
    }

    fn run_over(
        &self,
        folder: &Path,
        arguments: &[&str],
        input: &str,
    ) -> (Option<i32>, String, String) {
        let mut child = self.start(folder, arguments);
        let mut stdin = child.stdin.take().expect("its input");
        // A command that reads nothing may have ended.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the runtime ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// The answers to calls, one each.
    fn answers(&self, arguments: &[&str], calls: &[Value]) -> Vec<Value> {
        let lines: String = calls.iter().map(|call| format!("{call}\n")).collect();
        let (_, output, errors) = self.run(arguments, &lines);
        let answers: Vec<Value> = output
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(answers.len(), calls.len(), "{output}{errors}");
        answers
    }

    fn codes(&self, arguments: &[&str], calls: &[Value]) -> Vec<String> {
        let code = |answer: &Value| answer["code"].as_str().unwrap_or("ok").to_owned();
        self.answers(arguments, calls).iter().map(code).collect()
    }
}

fn call(tool: &str, args: Value) -> Value {
    json!({ "tool": tool, "args": args })
}

fn read(path: &str) -> Value {
    call("read", json!({ "file_path": path }))
}

fn write(path: &str, content: &str) -> Value {
    call("write", json!({ "file_path": path, "content": content }))
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    let args = json!({ "file_path": path, "old_string": old, "new_string": new });
    call("edit", args)
}

const WRITES: [&str; 2] = ["--mode", "workspace-write"];

/// Arguments after the option that lets the workspace be written.
fn writing<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&WRITES, rest].concat()
}
