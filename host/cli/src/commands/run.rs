//! `dsh-fs run`: tool calls in, answers out, one JSON object a line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;

use anyhow::Context;
use dsh_fs::sandbox::Guarding;
use dsh_fs_runtime::{Answer, Approver, CallCode, CallError, Runtime, Session};
use serde_json::{Map, Value};

use crate::approve::approver;
use crate::args::RunArgs;
use crate::exit::Failure;
use crate::lines::{self, Line};
use crate::setup::{Ground, runtime};

/// Answers every call of the input, in order, until it ends.
pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut sessions = Sessions::new(args)?;
    match &args.file {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("calls {}", path.display()))?;
            answer_all(&mut BufReader::new(file), &mut sessions)
        }
        None => answer_all(&mut io::stdin().lock(), &mut sessions),
    }
}

fn answer_all(input: &mut impl BufRead, sessions: &mut Sessions) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    while let Some(line) = lines::next(input, lines::LONGEST)? {
        let Some((id, answer)) = answer(line, sessions)? else {
            continue;
        };
        serde_json::to_writer(&mut output, &reply(id, answer)).context("standard output")?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

/// The answer to one line; nothing to a blank one.
fn answer(line: Line, sessions: &mut Sessions) -> Result<Option<(Value, Answer)>, Failure> {
    let text = match line {
        Line::Text(text) if text.trim().is_empty() => return Ok(None),
        Line::Text(text) => text,
        Line::TooLong => {
            let why = format!("a call is at most {} bytes long", lines::LONGEST);
            return Ok(Some((
                Value::Null,
                refused(CallCode::InvalidArguments, &why),
            )));
        }
        Line::NotUtf8 => {
            return Ok(Some((
                Value::Null,
                refused(CallCode::InvalidArguments, "a call is UTF-8 text"),
            )));
        }
    };
    let call = match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(call)) => call,
        Ok(_) => {
            let why = "a call is a JSON object with \"tool\" and \"args\"";
            return Ok(Some((
                Value::Null,
                refused(CallCode::InvalidArguments, why),
            )));
        }
        Err(error) => {
            let why = format!("a call is one line of JSON: {error}");
            return Ok(Some((
                Value::Null,
                refused(CallCode::InvalidArguments, &why),
            )));
        }
    };
    let id = call.get("id").cloned().unwrap_or(Value::Null);
    Ok(Some((id, dispatch(&call, sessions)?)))
}

fn dispatch(call: &Map<String, Value>, sessions: &mut Sessions) -> Result<Answer, Failure> {
    let name = match call.get("session") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) if is_name(name) => Some(name.as_str()),
        Some(_) => {
            let why = "a session name is a string of 1 to 128 characters, none of them a control character";
            return Ok(refused(CallCode::UnknownSession, why));
        }
    };
    let Some(tool) = call.get("tool").and_then(Value::as_str) else {
        return Ok(refused(
            CallCode::InvalidArguments,
            "a call names its \"tool\": read, write, edit, list or undo",
        ));
    };
    let none = Value::Object(Map::new());
    let args = call.get("args").unwrap_or(&none);
    Ok(sessions.of(name)?.call(tool, args))
}

fn refused(code: CallCode, why: &str) -> Answer {
    CallError::of_call(code, why).into()
}

fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.chars().count()) && !name.chars().any(char::is_control)
}

/// An answer as one JSON object, its fields in the order a person reads them.
fn reply(id: Value, answer: Answer) -> Map<String, Value> {
    let mut reply = Map::new();
    reply.insert("id".into(), id);
    reply.insert("ok".into(), answer.ok.into());
    if let Some(code) = answer.code {
        reply.insert("code".into(), code.into());
    }
    reply.insert("text".into(), answer.text.into());
    if let Some(value) = answer.value {
        reply.insert("value".into(), value);
    }
    reply
}

/// The sessions of one run, made when they are first named.
struct Sessions {
    ground: Ground,
    runtime: Runtime,
    guarding: Guarding,
    approver: Option<Arc<dyn Approver>>,
    default: String,
    open: HashMap<String, Session>,
}

impl Sessions {
    fn new(args: &RunArgs) -> Result<Self, Failure> {
        let mut sessions = Self {
            ground: Ground::remembering(&args.deployment, !args.no_history)?,
            runtime: runtime(&args.components)?,
            guarding: if args.bare {
                Guarding::Bare
            } else {
                Guarding::Required
            },
            approver: approver(args.approve),
            default: args.session.clone(),
            open: HashMap::new(),
        };
        // Whatever keeps a session from starting is said before the first call is read.
        sessions.of(None)?;
        Ok(sessions)
    }

    fn of(&mut self, name: Option<&str>) -> Result<&mut Session, Failure> {
        let name = name.unwrap_or(&self.default).to_owned();
        if !self.open.contains_key(&name) {
            let session =
                self.ground
                    .session(&self.runtime, &name, self.guarding, self.approver.clone())?;
            self.open.insert(name.clone(), session);
        }
        Ok(self.open.get_mut(&name).expect("it was put there just now"))
    }
}
