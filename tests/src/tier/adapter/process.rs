//! The program, and calls to it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// The value.
    Ok(Value),
    /// The refusal, as the function states it.
    Refused(Value),
}

/// A program that is asked. Vectors run one after another, so one process serves all.
#[derive(Debug)]
pub struct Adapter {
    name: String,
    speaks: Vec<String>,
    lacks: Vec<String>,
    running: Mutex<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Adapter {
    /// Starts the program by a command line of the shell, and asks who it is.
    pub fn start(command: &str) -> Result<Self> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{command}`"))?;
        let input = child.stdin.take().context("its input")?;
        let output = BufReader::new(child.stdout.take().context("its output")?);
        let mut adapter = Self {
            name: String::new(),
            speaks: Vec::new(),
            lacks: Vec::new(),
            running: Mutex::new(Running {
                child,
                input,
                output,
            }),
        };
        let hello = adapter.ok("hello", json!({}))?;
        adapter.name = hello["name"].as_str().context("its name")?.to_owned();
        adapter.speaks = texts(&hello["speaks"]);
        adapter.lacks = texts(&hello["lacks"]);
        Ok(adapter)
    }

    /// The name by which the program goes.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it answers the functions of an interface; otherwise the reason of a skip.
    pub(super) fn speaks(&self, interface: &str) -> Result<(), String> {
        match self.speaks.iter().any(|spoken| spoken == interface) {
            true => Ok(()),
            false => Err(format!("{} does not speak {interface}", self.name)),
        }
    }

    /// Whether it says that it lacks something.
    pub(super) fn lacks(&self, what: &str) -> bool {
        self.lacks.iter().any(|lacked| lacked == what)
    }

    /// Calls a function that does not refuse.
    pub(super) fn ok(&self, function: &str, arguments: Value) -> Result<Value> {
        match self.call(function, arguments)? {
            Answer::Ok(value) => Ok(value),
            Answer::Refused(why) => bail!("`{function}` was refused: {why}"),
        }
    }

    /// Calls a function.
    pub(super) fn call(&self, function: &str, arguments: Value) -> Result<Answer> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let call = json!({"call": function, "args": arguments});
        writeln!(running.input, "{call}").with_context(|| ended(function))?;
        running.input.flush().with_context(|| ended(function))?;
        let mut line = String::new();
        if running.output.read_line(&mut line)? == 0 {
            return Err(anyhow!(ended(function)));
        }
        let mut answer: Value =
            serde_json::from_str(&line).with_context(|| format!("its answer to `{function}`"))?;
        if let Some(why) = answer["error"].as_str() {
            bail!("`{function}`: {why}");
        }
        match (answer.get("ok").is_some(), answer.get("refused").is_some()) {
            (true, false) => Ok(Answer::Ok(answer["ok"].take())),
            (false, true) => Ok(Answer::Refused(answer["refused"].take())),
            _ => bail!("`{function}`: an answer has `ok` or `refused`: {line}"),
        }
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        let running = self
            .running
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        // It may have ended already; there is nothing that could be done about a failure.
        let _ = running.child.kill();
        let _ = running.child.wait();
    }
}

fn ended(function: &str) -> String {
    format!("the program ended at `{function}`")
}

fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}
