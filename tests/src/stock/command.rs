//! The composed command as an adapter of the conformance kit: a session is a process over
//! the whole disk, whose options say what it may change.
//!
//! It stands for what a stock runtime does with the file that ships. What the options of the
//! command cannot say is lacking: a person who is asked, limits of a read, other gates,
//! roots beside the workspace, and what a session keeps beyond its process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

/// What no option of the command says, or no call of WASI does.
const LACKS: [&str; 12] = [
    "owners",
    "modes",
    "special-files",
    "cancellation",
    "escaped-names",
    "deny-read",
    "absolute-links",
    "approval",
    "limits",
    "calls-without-a-session",
    "session-state",
    "further-roots",
];

/// The sessions that are open, in one stock program.
pub struct Sessions {
    wasmtime: PathBuf,
    command: PathBuf,
    open: BTreeMap<u64, Running>,
    next: u64,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Sessions {
    /// Sessions of this compiled command in this program.
    #[must_use]
    pub fn new(wasmtime: PathBuf, command: PathBuf) -> Self {
        let open = BTreeMap::new();
        Self {
            wasmtime,
            command,
            open,
            next: 0,
        }
    }

    /// Answers one call of the protocol.
    pub fn answer(&mut self, call: &Value) -> Value {
        let args = &call["args"];
        let answered = match call["call"].as_str().unwrap_or_default() {
            "hello" => Ok(json!({"ok": {
                "name": "the composed command", "speaks": ["tools"], "lacks": LACKS,
            }})),
            "tools.open" => self.open(args),
            "tools.call" => self.call(args),
            "tools.reset" => {
                self.open.clear();
                Ok(json!({"ok": null}))
            }
            other => Err(anyhow::anyhow!("there is no {other}")),
        };
        answered.unwrap_or_else(|error| json!({"error": format!("{error:#}")}))
    }

    fn open(&mut self, args: &Value) -> Result<Value> {
        let mode = match args["confined"] == true {
            true => args["mode"].as_str().context("a mode")?,
            false => "danger-full-access",
        };
        let root = args["cwd"].as_str().or(args["root"].as_str());
        let mut program = start(&self.wasmtime, &self.command);
        program.args(["--mode", mode, "--root", root.context("a root")?]);
        for path in args["protected"].as_array().into_iter().flatten() {
            program.args(["--protect", path.as_str().context("a path")?]);
        }
        let mut child = program.spawn().context("wasmtime")?;
        let input = child.stdin.take().context("its input")?;
        let output = BufReader::new(child.stdout.take().context("its output")?);
        self.next += 1;
        let running = Running {
            child,
            input,
            output,
        };
        self.open.insert(self.next, running);
        Ok(json!({"ok": self.next}))
    }

    fn call(&mut self, args: &Value) -> Result<Value> {
        let session = args["session"].as_u64().context("a session")?;
        let running = self.open.get_mut(&session).context("an open session")?;
        let call = json!({"tool": args["tool"], "args": args["args"]});
        writeln!(running.input, "{call}").context("its input")?;
        let mut line = String::new();
        let length = running.output.read_line(&mut line)?;
        ensure!(length > 0, "the command ended at {call}");
        let answer: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        Ok(match (&answer["ok"], &answer["code"]) {
            (Value::Bool(true), _) => {
                json!({"ok": {"text": answer["text"], "value": answer["value"]}})
            }
            (_, Value::String(code)) => {
                json!({"refused": {"text": answer["text"], "code": code}})
            }
            _ => bail!("no answer: {line}"),
        })
    }
}

/// Paths inside are those of the machine: the disk is given as it is, and the options fence.
fn start(wasmtime: &Path, command: &Path) -> Command {
    let mut program = Command::new(wasmtime);
    program
        .args(["run", "--allow-precompiled", "--dir", "/::/"])
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    program
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; there is nothing that could be done about a failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
