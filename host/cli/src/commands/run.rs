//! `dsh-fs run`: tool calls in, answers out, one JSON object a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use anyhow::Context;
use dsh_fs_harness::CallContext;
use dsh_fs_runtime::{Answer, CallCode, CallError};
use serde_json::{Map, Value};

use crate::args::RunArgs;
use crate::exit::Failure;
use crate::lines::{self, Line};
use crate::sessions::Sessions;
use crate::{answer, output, session};

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
        let Some((id, answer)) = answered(line, sessions) else {
            continue;
        };
        let mut reply = serde_json::to_vec(&reply(id, answer)).context("an answer as JSON")?;
        reply.push(b'\n');
        output::bytes(&reply)?;
    }
    Ok(())
}

/// The answer to one line with the id of its call; nothing to a blank one.
fn answered(line: Line, sessions: &mut Sessions) -> Option<(Value, Answer)> {
    if matches!(&line, Line::Text(text) if text.trim().is_empty()) {
        return None;
    }
    Some(match call(line) {
        Ok(call) => {
            let answer = dispatch(&call, sessions);
            (call.get("id").cloned().unwrap_or(Value::Null), answer)
        }
        Err(why) => (Value::Null, refused(CallCode::InvalidArguments, &why)),
    })
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

fn dispatch(call: &Map<String, Value>, sessions: &mut Sessions) -> Answer {
    let name = match call.get("session") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) if session::name(name).is_ok() => Some(name.as_str()),
        Some(_) => return refused(CallCode::UnknownSession, session::RULE),
    };
    let Some(tool) = call.get("tool").and_then(Value::as_str) else {
        let why = "a call names its \"tool\": read, write, edit, multi_edit, list, undo or bash";
        return refused(CallCode::InvalidArguments, why);
    };
    let none = Value::Object(Map::new());
    let args = call.get("args").unwrap_or(&none);
    match sessions.of(name) {
        Ok(session) => session.call(tool, args, &CallContext::default()),
        Err(error) => error.into(),
    }
}

fn refused(code: CallCode, why: &str) -> Answer {
    CallError::of_call(code, why).into()
}

/// An answer with the id of its call.
fn reply(id: Value, answer: Answer) -> Map<String, Value> {
    let mut reply = Map::from_iter([("id".to_owned(), id)]);
    reply.extend(answer::fields(answer));
    reply
}
