//! `dsh-fs run`: tool calls in, answers out, one JSON object a line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
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
use crate::{output, session};

/// Answers every call of the input, in order, until it ends.
pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let mut sessions = Sessions::new(args)?;
    match &args.file {
        Some(path) => {
            let name = format!("calls {}", path.display());
            let file = File::open(path).with_context(|| name.clone())?;
            answer_all(&mut BufReader::new(file), &name, &mut sessions)
        }
        None => answer_all(&mut io::stdin().lock(), "standard input", &mut sessions),
    }
}

fn answer_all(
    input: &mut impl BufRead,
    name: &str,
    sessions: &mut Sessions,
) -> Result<(), Failure> {
    while let Some(line) = lines::next(input, lines::LONGEST).with_context(|| name.to_owned())? {
        let Some((id, answer)) = answer(line, sessions)? else {
            continue;
        };
        let mut reply = serde_json::to_vec(&reply(id, answer)).context("an answer as JSON")?;
        reply.push(b'\n');
        output::bytes(&reply)?;
    }
    Ok(())
}

/// The answer to one line with the id of its call; nothing to a blank one.
fn answer(line: Line, sessions: &mut Sessions) -> Result<Option<(Value, Answer)>, Failure> {
    if matches!(&line, Line::Text(text) if text.trim().is_empty()) {
        return Ok(None);
    }
    Ok(Some(match call(line) {
        Ok(call) => {
            let answer = dispatch(&call, sessions)?;
            (call.get("id").cloned().unwrap_or(Value::Null), answer)
        }
        Err(why) => (Value::Null, refused(CallCode::InvalidArguments, &why)),
    }))
}

/// The call on a line, or why there is none.
fn call(line: Line) -> Result<Map<String, Value>, String> {
    let text = match line {
        Line::Text(text) => text,
        Line::TooLong => return Err(format!("a call is at most {} bytes long", lines::LONGEST)),
        Line::NotUtf8 => return Err("a call is UTF-8 text".into()),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(call)) => Ok(call),
        Ok(_) => Err("a call is a JSON object with \"tool\" and \"args\"".into()),
        Err(error) => Err(format!("a call is one line of JSON: {error}")),
    }
}

fn dispatch(call: &Map<String, Value>, sessions: &mut Sessions) -> Result<Answer, Failure> {
    let name = match call.get("session") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) if session::name(name).is_ok() => Some(name.as_str()),
        Some(_) => return Ok(refused(CallCode::UnknownSession, session::RULE)),
    };
    let Some(tool) = call.get("tool").and_then(Value::as_str) else {
        return Ok(refused(
            CallCode::InvalidArguments,
            "a call names its \"tool\": read, write, edit or list",
        ));
    };
    let none = Value::Object(Map::new());
    let args = call.get("args").unwrap_or(&none);
    Ok(sessions.of(name)?.call(tool, args))
}

fn refused(code: CallCode, why: &str) -> Answer {
    CallError::of_call(code, why).into()
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
            ground: Ground::new(&args.deployment)?,
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
