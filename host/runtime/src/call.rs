//! A tool call as it comes from a model: a name and JSON.
//!
//! Only the shape is checked here; what the values mean is the component's to judge.
//! Properties that no tool knows are ignored.

use dsh_fs::cancel::Cancel;
use serde_json::{Map, Value};

use crate::answer::Answer;
use crate::failure::{CallCode, CallError};
use crate::session::Session;
use crate::verbs::{
    EditArgs, Escalation, ListArgs, MultiEdit, MultiEditArgs, ReadArgs, UndoArgs, WriteArgs,
};
use crate::wording;

impl Session {
    /// Runs a tool by name: `read`, `write`, `edit`, `list`, `undo` or
    /// `multi_edit`. A wrong name or a wrong shape is `INVALID_ARGUMENTS`.
    pub fn call(&mut self, tool: &str, args: &Value) -> Answer {
        match self.dispatch(tool, args) {
            Ok(answer) => answer,
            Err(error) => error.into(),
        }
    }

    /// The same, withdrawn by a flag of the caller's own in place of
    /// [`Session::cancel_handle`]. The flag is left as it is when the call ends.
    pub fn call_under(&mut self, cancel: &Cancel, tool: &str, args: &Value) -> Answer {
        self.lend(Some(cancel.clone()));
        let answer = self.call(tool, args);
        self.lend(None);
        answer
    }

    fn dispatch(&mut self, tool: &str, args: &Value) -> Result<Answer, CallError> {
        let parse = || Arguments::of(args);
        Ok(match tool {
            "read" => self.read(read_args(&parse()?)?)?.into(),
            "write" => self.write(write_args(&parse()?)?)?.into(),
            "edit" => self.edit(edit_args(&parse()?)?)?.into(),
            "list" => self.list(list_args(&parse()?)?)?.into(),
            "multi_edit" => self.multi_edit(multi_edit_args(&parse()?)?)?.into(),
            "undo" => self.undo(undo_args(&parse()?)?)?.into(),
            other => return Err(invalid(wording::unknown_tool(other))),
        })
    }
}

fn read_args(args: &Arguments<'_>) -> Result<ReadArgs, CallError> {
    args.require(&["file_path"])?;
    Ok(ReadArgs {
        file_path: args.required_text("file_path")?,
        offset: args.number("offset")?,
        limit: args.number("limit")?,
        column: args.number("column")?,
    })
}

fn write_args(args: &Arguments<'_>) -> Result<WriteArgs, CallError> {
    args.require(&["file_path", "content"])?;
    Ok(WriteArgs {
        file_path: args.required_text("file_path")?,
        content: args.required_text("content")?,
        escalation: args.escalation()?,
    })
}

fn edit_args(args: &Arguments<'_>) -> Result<EditArgs, CallError> {
    args.require(&["file_path", "old_string", "new_string"])?;
    Ok(EditArgs {
        file_path: args.required_text("file_path")?,
        old_string: args.required_text("old_string")?,
        new_string: args.required_text("new_string")?,
        replace_all: args.flag("replace_all")?,
        escalation: args.escalation()?,
    })
}

/// The edits each name their file, or all of them are of the one that the call names.
fn multi_edit_args(args: &Arguments<'_>) -> Result<MultiEditArgs, CallError> {
    args.require(&["edits"])?;
    let file_path = args.text("file_path")?;
    let edits = args.objects("edits")?;
    let edit = |edit: &Arguments<'_>| multi_edit_part(edit, file_path.as_deref());
    Ok(MultiEditArgs {
        edits: edits.iter().map(edit).collect::<Result<_, _>>()?,
        escalation: args.escalation()?,
    })
}

fn multi_edit_part(edit: &Arguments<'_>, file_path: Option<&str>) -> Result<MultiEdit, CallError> {
    edit.require(&["old_string", "new_string"])?;
    let own = edit.text("file_path")?;
    let path = own.or_else(|| file_path.map(str::to_owned));
    Ok(MultiEdit {
        file_path: path.ok_or_else(|| invalid(wording::missing_argument("file_path")))?,
        old_string: edit.required_text("old_string")?,
        new_string: edit.required_text("new_string")?,
        replace_all: edit.flag("replace_all")?,
    })
}

fn list_args(args: &Arguments<'_>) -> Result<ListArgs, CallError> {
    Ok(ListArgs {
        file_path: args.text("file_path")?,
        offset: args.number("offset")?,
        limit: args.number("limit")?,
    })
}

fn undo_args(args: &Arguments<'_>) -> Result<UndoArgs, CallError> {
    Ok(UndoArgs {
        escalation: args.escalation()?,
    })
}

/// The properties of a call. A property that is there has the right type, `null` not
/// being one: the reference says so, and a model that sends null learns of it.
struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    fn of(args: &'a Value) -> Result<Self, CallError> {
        match args {
            Value::Object(properties) => Ok(Self(properties)),
            _ => Err(invalid(wording::no_arguments())),
        }
    }

    fn require(&self, names: &[&str]) -> Result<(), CallError> {
        match names.iter().find(|name| !self.0.contains_key(**name)) {
            Some(missing) => Err(invalid(wording::missing_argument(missing))),
            None => Ok(()),
        }
    }

    fn required_text(&self, name: &str) -> Result<String, CallError> {
        let text = self.text(name)?;
        text.ok_or_else(|| invalid(wording::missing_argument(name)))
    }

    fn text(&self, name: &str) -> Result<Option<String>, CallError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(invalid(wording::wrong_argument(name, "string"))),
        }
    }

    fn objects(&self, name: &str) -> Result<Vec<Self>, CallError> {
        let wrong = || invalid(wording::multi::wrong_edits());
        let list = self
            .0
            .get(name)
            .and_then(Value::as_array)
            .ok_or_else(wrong)?;
        let objects = list.iter().map(Value::as_object);
        objects
            .map(|object| object.map(Arguments).ok_or_else(wrong))
            .collect()
    }

    fn flag(&self, name: &str) -> Result<bool, CallError> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(invalid(wording::wrong_argument(name, "boolean"))),
        }
    }

    fn number(&self, name: &str) -> Result<Option<i64>, CallError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(whole(number))),
            Some(_) => Err(invalid(wording::wrong_argument(name, "number"))),
        }
    }

    fn escalation(&self) -> Result<Escalation, CallError> {
        Ok(Escalation {
            sandbox_permissions: self.text("sandbox_permissions")?,
            justification: self.text("justification")?,
        })
    }
}

/// A number as the component takes it. One that is not whole becomes 0, which the
/// component refuses in its own order and words: no place counts from 0.
fn whole(number: &serde_json::Number) -> i64 {
    if let Some(whole) = number.as_i64() {
        return whole;
    }
    match number.as_f64() {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the cast saturates, and a number beyond 64 bits is beyond every file"
        )]
        Some(float) if float.fract() == 0.0 => float as i64,
        _ => 0,
    }
}

fn invalid(message: String) -> CallError {
    CallError::of_call(CallCode::InvalidArguments, message)
}
