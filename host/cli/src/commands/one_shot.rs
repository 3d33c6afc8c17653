//! `dsh-fs read|write|edit|multi-edit|list|undo`: one call of a session that lasts.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use dsh_fs_harness::{AgentOptions, CallContext};
use dsh_fs_runtime::Answer;
use serde_json::{Map, Value};

use crate::answer;
use crate::approve::approver;
use crate::args::{
    Caller, EditArgs, ListArgs, ModeArg, MultiEditArgs, ReadArgs, UndoArgs, Wider, WriteArgs,
};
use crate::exit::{Failure, Reason};
use crate::output::{self, say};
use crate::setup::{Setup, no_session};

/// Reads a part of a file.
pub(crate) fn read(args: &ReadArgs) -> Result<(), Failure> {
    let mut call = Map::new();
    call.insert("file_path".into(), args.file.clone().into());
    put(&mut call, "offset", args.offset);
    put(&mut call, "limit", args.limit);
    put(&mut call, "column", args.column);
    answered(&args.caller, "read", call)
}

/// Writes a whole file.
pub(crate) fn write(args: &WriteArgs) -> Result<(), Failure> {
    let content = match &args.content {
        Some(content) => content.clone(),
        None => text_of(None)?,
    };
    let mut call = Map::new();
    call.insert("file_path".into(), args.file.clone().into());
    call.insert("content".into(), content.into());
    ask(&mut call, &args.wider);
    answered(&args.caller, "write", call)
}

/// Replaces text in a file.
pub(crate) fn edit(args: &EditArgs) -> Result<(), Failure> {
    let mut call = Map::new();
    call.insert("file_path".into(), args.file.clone().into());
    call.insert("old_string".into(), args.old.clone().into());
    call.insert("new_string".into(), args.new.clone().into());
    call.insert("replace_all".into(), args.replace_all.into());
    ask(&mut call, &args.wider);
    answered(&args.caller, "edit", call)
}

/// Makes several edits, or none.
pub(crate) fn multi_edit(args: &MultiEditArgs) -> Result<(), Failure> {
    let text = text_of(args.edits.as_deref())?;
    let edits: Value = serde_json::from_str(&text).context("the edits as JSON")?;
    let mut call = match edits {
        Value::Object(call) => call,
        edits => Map::from_iter([("edits".to_owned(), edits)]),
    };
    ask(&mut call, &args.wider);
    answered(&args.caller, "multi_edit", call)
}

/// Lists a directory.
pub(crate) fn list(args: &ListArgs) -> Result<(), Failure> {
    let mut call = Map::new();
    put(&mut call, "file_path", args.folder.clone());
    put(&mut call, "offset", args.offset);
    put(&mut call, "limit", args.limit);
    answered(&args.caller, "list", call)
}

/// Takes the last change of the session back.
pub(crate) fn undo(args: &UndoArgs) -> Result<(), Failure> {
    let mut call = Map::new();
    ask(&mut call, &args.wider);
    answered(&args.caller, "undo", call)
}

fn put(call: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        call.insert(name.into(), value.into());
    }
}

fn ask(call: &mut Map<String, Value>, wider: &Wider) {
    let mode = wider.sandbox_permissions.map(ModeArg::name);
    put(call, "sandbox_permissions", mode);
    put(call, "justification", wider.justification.clone());
}

/// The text of a file, or all of standard input.
fn text_of(file: Option<&Path>) -> Result<String, Failure> {
    match file {
        Some(file) => {
            Ok(std::fs::read_to_string(file)
                .with_context(|| format!("edits {}", file.display()))?)
        }
        None => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .context("standard input")?;
            Ok(text)
        }
    }
}

/// Makes the call and prints its answer; a refusal has an exit code of its own.
fn answered(caller: &Caller, tool: &str, args: Map<String, Value>) -> Result<(), Failure> {
    let setup = Setup {
        deployment: &caller.deployment,
        components: &caller.components,
        keeping: Some(&caller.keeping),
        lasting: true,
        in_place: false,
        no_history: false,
        old_texts: None,
    };
    let options = AgentOptions {
        approver: approver(caller.approve, &caller.deployment)?,
        ..AgentOptions::default()
    };
    let agent = setup.start()?.agent(&caller.session, options);
    let answer =
        agent
            .map_err(no_session)?
            .call(tool, &Value::Object(args), &CallContext::default());
    print(&answer, caller.json)?;
    match answer.ok {
        true => Ok(()),
        false => Err(Failure::told(Reason::Refused)),
    }
}

fn print(answer: &Answer, json: bool) -> Result<(), Failure> {
    if json {
        let answer = Value::Object(answer::fields(answer.clone()));
        return say!("{answer:#}");
    }
    let end = if answer.text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    output::bytes(format!("{}{end}", answer.text).as_bytes())
}
