//! One call on the command line.

use crate::answer::{Answer, Refused, invalid};
use crate::bindings::dsh::fs::tools::{
    EditArgs, Escalation, ListArgs, ReadArgs, Session, WriteArgs,
};
use crate::streams;

const USAGE: &str = "the verbs are: read FILE [OFFSET [LIMIT]], list [DIR], write FILE, \
     edit FILE OLD NEW";

/// Runs a verb. What a model would read goes to standard output; a refusal is the error,
/// with its code. Why a change is graded as it is goes to standard error.
pub(crate) fn run(session: &Session, verb: &str, rest: &[String]) -> Result<(), String> {
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    match answer(session, verb, &rest) {
        Ok(told) => {
            if let Some(reason) = told.value["gradeReason"].as_str() {
                streams::complain(&format!("note: {}: {reason}", told.value["grade"]));
            }
            streams::say(&format!("{}\n", told.text.trim_end_matches('\n')))
        }
        Err(refused) => Err(format!("{}: {}", refused.code, refused.text)),
    }
}

fn answer(session: &Session, verb: &str, rest: &[&str]) -> Answer {
    match (verb, rest) {
        ("read", [file]) => read(session, file, None, None),
        ("read", [file, offset]) => read(session, file, Some(number(offset)?), None),
        ("read", [file, offset, limit]) => {
            read(session, file, Some(number(offset)?), Some(number(limit)?))
        }
        ("list", []) => list(session, None),
        ("list", [directory]) => list(session, Some((*directory).to_owned())),
        ("write", [file]) => {
            let content = streams::all().map_err(invalid)?;
            let content = String::from_utf8(content)
                .map_err(|_| invalid("the content on standard input is not UTF-8"))?;
            write(session, file, content)
        }
        ("edit", [file, old, new]) => edit(session, file, old, new),
        _ => Err(invalid(USAGE)),
    }
}

fn number(text: &str) -> Result<i64, Refused> {
    text.parse().map_err(|_| invalid(USAGE))
}

fn read(session: &Session, file: &str, offset: Option<i64>, limit: Option<i64>) -> Answer {
    let answer = session.read(&ReadArgs {
        file_path: file.to_owned(),
        offset,
        limit,
        column: None,
    })?;
    Ok(answer.into())
}

fn list(session: &Session, file_path: Option<String>) -> Answer {
    let answer = session.list(&ListArgs {
        file_path,
        offset: None,
        limit: None,
    })?;
    Ok(answer.into())
}

fn write(session: &Session, file: &str, content: String) -> Answer {
    let answer = session.write(&WriteArgs {
        file_path: file.to_owned(),
        content,
        escalation: nothing(),
    })?;
    Ok(answer.into())
}

/// The file counts as seen from here on: what is edited is what was just read.
fn edit(session: &Session, file: &str, old: &str, new: &str) -> Answer {
    read(session, file, None, Some(1))?;
    let answer = session.edit(&EditArgs {
        file_path: file.to_owned(),
        old_string: old.to_owned(),
        new_string: new.to_owned(),
        replace_all: false,
        escalation: nothing(),
    })?;
    Ok(answer.into())
}

fn nothing() -> Escalation {
    Escalation {
        sandbox_permissions: None,
        justification: None,
    }
}
