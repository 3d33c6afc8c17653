//! The sessions of one vector: tools through the component.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result, anyhow};
use dsh_fs::sandbox::{Guarding, SandboxedFileSystem};
use dsh_fs::types::Mode;
use dsh_fs_runtime::{
    Answer, Approver, CallError, ComponentSource, Decision, ModeSource, Question, ReadLimits,
    Runtime, RuntimeOptions, Session, SessionOptions,
};
use serde_json::{Value, json};

use super::tell;
use crate::case::Case;
use crate::components;
use crate::places::Places;

/// The operations.
pub(super) const KNOWN: [&str; 10] = [
    "tool",
    "open",
    "resume",
    "policy",
    "policy-text",
    "sandbox-mode",
    "set-mode",
    "mode-events",
    "approvals",
    "fork",
];

/// The session that is meant where none is named.
pub(super) const SESSION: &str = "s1";

/// The stack of a thread that calls a session.
const STACK: usize = 16 << 20;

/// Sessions by name; the empty name stands for calls without an owner.
pub(super) struct Sessions<'a> {
    case: &'a Case,
    places: &'a Places,
    files: Arc<SandboxedFileSystem>,
    open: BTreeMap<String, Session>,
    modes: Vec<Value>,
    person: Arc<Person>,
}

/// Answers every question alike, and remembers them.
struct Person {
    decision: Decision,
    asked: Mutex<Vec<Value>>,
}

impl Approver for Person {
    fn ask(&self, question: &Question) -> Decision {
        self.asked
            .lock()
            .expect("nothing panics while it holds the questions")
            .push(json!({
                "toolName": question.tool,
                "path": question.path,
                "mode": question.mode.name(),
                "justification": question.justification,
                "session": question.session_id,
            }));
        self.decision
    }
}

impl<'a> Sessions<'a> {
    pub(super) fn new(case: &'a Case, places: &'a Places, files: Arc<SandboxedFileSystem>) -> Self {
        let decision = match case.given.approval.as_deref() {
            Some("allowed-once") => Decision::AllowedOnce,
            Some("rejected") => Decision::Rejected,
            Some("cancelled") => Decision::Cancelled,
            _ => Decision::Unavailable,
        };
        let person = Arc::new(Person {
            decision,
            asked: Mutex::default(),
        });
        Self {
            case,
            places,
            files,
            open: BTreeMap::new(),
            modes: Vec::new(),
            person,
        }
    }

    /// Performs one operation.
    pub(super) fn perform(&mut self, op: &Value) -> Result<Value> {
        let op = &self.places.fill_value(op);
        let name = name_of(op);
        let done = match op["op"].as_str().context("an operation")? {
            "tool" => self.session(&name).map(|session| call(session, op)),
            "open" => self.session(&name).map(|_| json!({"done": true})),
            "resume" => self.resume(&name),
            "fork" => self.fork(&name, op["as"].as_str().context("the name of the child")?),
            "set-mode" => self.set_mode(op)?,
            "mode-events" => Ok(if op["session"] == SESSION {
                json!(self.modes)
            } else {
                json!([])
            }),
            "approvals" => Ok(json!(
                *self
                    .person
                    .asked
                    .lock()
                    .expect("nothing panics while it holds them")
            )),
            _ => self.policy(op),
        };
        Ok(done.unwrap_or_else(|error| told(&error.into())))
    }

    /// Runs tool calls at once, those of one session one after another.
    pub(super) fn all(&mut self, op: &Value) -> Result<Value> {
        let op = &self.places.fill_value(op);
        let mut calls: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for op in op["ops"].as_array().context("`ops` is a list")? {
            calls.entry(name_of(op)).or_default().push(op);
        }
        for name in calls.keys() {
            self.session(name)
                .map_err(|error| anyhow!("{}", error.text))?;
        }
        let results: Vec<Value> = thread::scope(|scope| {
            let running: Vec<_> = self
                .open
                .iter_mut()
                .filter_map(|(name, session)| Some((calls.get(name)?, session)))
                .filter_map(|(ops, session)| {
                    let work = move || ops.iter().map(|op| call(session, op)).collect::<Vec<_>>();
                    thread::Builder::new()
                        .stack_size(STACK)
                        .spawn_scoped(scope, work)
                        .ok()
                })
                .collect();
            running
                .into_iter()
                .flat_map(|one| one.join().unwrap_or_default())
                .collect()
        });
        Ok(tell::several(&results))
    }

    fn session(&mut self, name: &str) -> Result<&mut Session, CallError> {
        if !self.open.contains_key(name) {
            let options = self.options(name, None);
            let session = self.start(options)?;
            self.open.insert(name.to_owned(), session);
        }
        Ok(self.open.get_mut(name).expect("it was just opened"))
    }

    fn start(&self, options: SessionOptions) -> Result<Session, CallError> {
        self.runtime().session(options)
    }

    fn runtime(&self) -> Runtime {
        let given = &self.case.given;
        let bare = (!given.gate).then_some("open-gate");
        runtime(given.component.as_deref().or(bare))
    }

    fn options(&self, name: &str, cwd: Option<Option<String>>) -> SessionOptions {
        let given = &self.case.given;
        let policy = given.policy.clone().unwrap_or_default();
        let root = policy.workspace_root.as_deref().unwrap_or("$WS");
        let stated = cwd.or_else(|| given.session_cwd.clone());
        let cwd = stated.unwrap_or_else(|| Some("$WS".to_owned()));
        let mode = policy.mode.as_deref().and_then(Mode::from_name);
        let mut options = SessionOptions::new(Arc::clone(&self.files), self.places.fill(root));
        options.id = (!name.is_empty()).then(|| name.to_owned());
        options.cwd = cwd
            .filter(|_| !name.is_empty())
            .map(|cwd| self.places.fill(&cwd));
        options.mode = mode.unwrap_or(Mode::ReadOnly);
        options.confined = given.policy.is_some();
        options.guarding = if given.gate {
            Guarding::Required
        } else {
            Guarding::Bare
        };
        options.read_limits = limits(given.tool_config.as_ref());
        options.report_texts = true;
        if given.approval.is_some() {
            options.approver = Some(Arc::<Person>::clone(&self.person));
        }
        options
    }

    /// Ends a session, and goes on in a new one that takes its snapshot in.
    fn resume(&mut self, name: &str) -> Result<Value, CallError> {
        let pages = self.session(name)?.snapshot()?;
        let mut resumed = self.start(self.options(name, None))?;
        resumed.restore(&pages)?;
        self.open.insert(name.to_owned(), resumed);
        Ok(json!({"done": true}))
    }

    /// A session for a sub-agent, under a name of its own.
    fn fork(&mut self, name: &str, child: &str) -> Result<Value, CallError> {
        let forked = self.session(name)?.fork(Some(child.to_owned()))?;
        self.open.insert(child.to_owned(), forked);
        Ok(json!({"done": true}))
    }

    fn set_mode(&mut self, op: &Value) -> Result<Result<Value, CallError>> {
        let mode = op["mode"]
            .as_str()
            .and_then(Mode::from_name)
            .context("a mode that exists")?;
        self.modes.push(json!(mode.name()));
        let session = match self.session(SESSION) {
            Ok(session) => session,
            Err(error) => return Ok(Err(error)),
        };
        Ok(session
            .set_mode(mode, ModeSource::User)
            .map(|()| json!({"done": true})))
    }

    fn policy(&mut self, op: &Value) -> Result<Value, CallError> {
        let name = op["session"].as_str().unwrap_or("");
        let own = op.get("cwd").map(|cwd| cwd.as_str().map(str::to_owned));
        let mut fresh;
        let session = if own.is_some() {
            fresh = self.start(self.options(name, own))?;
            &mut fresh
        } else {
            self.session(name)?
        };
        if op["op"] == "policy-text" {
            return Ok(json!(session.policy_text()?));
        }
        let policy = session.policy()?;
        if op["op"] == "sandbox-mode" {
            return Ok(json!(policy.mode.name()));
        }
        let mut told = json!({"mode": policy.mode.name(), "workspaceRoot": policy.workspace_root});
        if let Some(id) = policy.session_id {
            told["sessionId"] = json!(id);
        }
        Ok(told)
    }
}

pub(super) fn name_of(op: &Value) -> String {
    if op["agentless"] == true {
        return String::new();
    }
    op["session"].as_str().unwrap_or(SESSION).to_owned()
}

fn call(session: &mut Session, op: &Value) -> Value {
    if matches!(op["abort"].as_str(), Some("before" | "during")) {
        session.cancel_handle().cancel();
    }
    let answer = session.call(op["name"].as_str().unwrap_or(""), &op["args"]);
    with_meta(told(&answer), op)
}

/// The answer of a tool call with the values that a vector asks for as `meta`.
pub(super) fn with_meta(mut told: Value, op: &Value) -> Value {
    if op["meta"] == true {
        told["meta"] = match op["name"].as_str() {
            Some("read") => told["value"].clone(),
            _ => json!({"diffs": diffs(&told["value"], op)}),
        };
    }
    told
}

fn told(answer: &Answer) -> Value {
    let mut told = json!({"text": answer.text, "value": answer.value});
    if let Some(code) = answer.code {
        told["fails"] = json!(code);
    }
    told
}

/// The changed regions as vectors state them: by the path of the call, without the last
/// line ending.
fn diffs(value: &Value, op: &Value) -> Vec<Value> {
    let hunks = value["diffs"].as_array().into_iter().flatten();
    let text = |hunk: &Value, field: &str| {
        json!(hunk[field].as_str().unwrap_or("").trim_end_matches('\n'))
    };
    hunks
        .map(|hunk| {
            json!({
                "path": op["args"]["file_path"],
                "oldText": text(hunk, "oldText"),
                "newText": text(hunk, "newText"),
            })
        })
        .collect()
}

pub(super) fn limits(config: Option<&Value>) -> ReadLimits {
    let shipped = ReadLimits::default();
    let field = |name: &str, shipped: u32| {
        let stated = config.and_then(|config| config[name].as_u64());
        stated
            .and_then(|stated| u32::try_from(stated).ok())
            .unwrap_or(shipped)
    };
    ReadLimits {
        lines: field("readLimit", shipped.lines),
        bytes: field("readMaxBytes", shipped.bytes),
        line_chars: field("readMaxLineLength", shipped.line_chars),
    }
}

/// The component over a gate for tests, made once in a process; the one that ships
/// without a name.
fn runtime(gate: Option<&str>) -> Runtime {
    static MADE: Mutex<BTreeMap<String, Runtime>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().expect("no runtime fails halfway");
    let runtime = made
        .entry(gate.unwrap_or("").to_owned())
        .or_insert_with(|| {
            let component = match gate {
                Some(name) => {
                    ComponentSource::Gate(components::gate(name).expect("a gate for tests"))
                }
                None => ComponentSource::Shipped,
            };
            let options = RuntimeOptions {
                component,
                ..RuntimeOptions::default()
            };
            Runtime::new(options).expect("the components of this project can be run")
        });
    runtime.clone()
}
