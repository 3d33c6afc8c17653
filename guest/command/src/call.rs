//! Calls as lines of JSON, as `dsh-fs run` takes them.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::answer::{Answer, invalid, reply};
use crate::bindings::dsh::fs::tools::{
    self, EditArgs, Escalation, ListArgs, ReadArgs, Session, WriteArgs,
};
use crate::streams::{self, Lines};

/// Answers every call of standard input, in order, until it ends.
pub(crate) fn answer_all(session: &Session) -> Result<(), String> {
    let mut lines = Lines::new();
    while let Some(line) = lines.next()? {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let reply = match serde_json::from_slice::<Call>(&line) {
            Ok(call) => reply(&call.id, dispatch(session, &call.tool, call.args)),
            Err(error) => reply(&Value::Null, Err(invalid(error))),
        };
        streams::say(&format!("{reply}\n"))?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    id: Value,
    tool: String,
    #[serde(default)]
    args: Map<String, Value>,
}

#[derive(Deserialize)]
struct Read {
    file_path: String,
    offset: Option<i64>,
    limit: Option<i64>,
    column: Option<i64>,
}

#[derive(Deserialize)]
struct Write {
    file_path: String,
    content: String,
    #[serde(flatten)]
    wider: Wider,
}

#[derive(Deserialize)]
struct Edit {
    file_path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
    #[serde(flatten)]
    wider: Wider,
}

#[derive(Deserialize)]
struct List {
    file_path: Option<String>,
    offset: Option<i64>,
    limit: Option<i64>,
}

#[derive(Deserialize)]
struct Wider {
    sandbox_permissions: Option<String>,
    justification: Option<String>,
}

impl From<Wider> for Escalation {
    fn from(wider: Wider) -> Self {
        Self {
            sandbox_permissions: wider.sandbox_permissions,
            justification: wider.justification,
        }
    }
}

fn dispatch(session: &Session, tool: &str, args: Map<String, Value>) -> Answer {
    let args = Value::Object(args);
    Ok(match tool {
        "read" => {
            let args: Read = serde_json::from_value(args).map_err(invalid)?;
            let answer = session.read(&ReadArgs {
                file_path: args.file_path,
                offset: args.offset,
                limit: args.limit,
                column: args.column,
            })?;
            answer.into()
        }
        "write" => write(session, serde_json::from_value(args).map_err(invalid)?)?.into(),
        "edit" => edit(session, serde_json::from_value(args).map_err(invalid)?)?.into(),
        "list" => {
            let args: List = serde_json::from_value(args).map_err(invalid)?;
            let answer = session.list(&ListArgs {
                file_path: args.file_path,
                offset: args.offset,
                limit: args.limit,
            })?;
            answer.into()
        }
        other => {
            let why = format!("there is no tool {other:?}: it is read, write, edit or list");
            return Err(invalid(why));
        }
    })
}

fn write(session: &Session, args: Write) -> Result<tools::ChangeAnswer, tools::Failure> {
    session.write(&WriteArgs {
        file_path: args.file_path,
        content: args.content,
        escalation: args.wider.into(),
    })
}

fn edit(session: &Session, args: Edit) -> Result<tools::ChangeAnswer, tools::Failure> {
    session.edit(&EditArgs {
        file_path: args.file_path,
        old_string: args.old_string,
        new_string: args.new_string,
        replace_all: args.replace_all,
        escalation: args.wider.into(),
    })
}
