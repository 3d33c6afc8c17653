//! One record, as far as it can be understood: a file may be of another version, or have
//! been written by something else.

use dsh_fs::name::shown;
use serde_json::{Map, Value};

/// One line of the file that is a record.
pub(super) struct Entry(Value);

impl Entry {
    /// A record is an object with an event.
    pub(super) fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        value.get("event")?.as_str()?;
        Some(Self(value))
    }

    /// The record as it stands in the file.
    pub(super) fn value(&self) -> &Value {
        &self.0
    }

    /// What happened.
    pub(super) fn event(&self) -> &str {
        self.raw("event").unwrap_or_default()
    }

    /// A text, fit to be shown; empty where there is none.
    pub(super) fn text(&self, name: &str) -> String {
        match self.fields().and_then(|fields| fields.get(name)) {
            Some(Value::String(text)) => shown(text),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(flag)) => flag.to_string(),
            _ => String::new(),
        }
    }

    /// Texts of a list, fit to be shown.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.0.get(name).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(shown).collect()
    }

    /// A text as it stands.
    fn raw(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The session, as it stands.
    pub(super) fn session(&self) -> Option<&str> {
        self.raw("session")
    }

    /// The file or directory that it is about, fit to be shown.
    pub(super) fn path(&self) -> String {
        match self.raw("path") {
            Some(path) => shown_once(path),
            None => self.first(&["key", "root"]),
        }
    }

    /// How it ended: a code, the answer of a person, a verdict, or a grade.
    pub(super) fn outcome(&self) -> String {
        self.first(&["code", "decision", "verdict", "grade"])
    }

    fn first(&self, names: &[&str]) -> String {
        let mut texts = names.iter().map(|name| self.text(name));
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    }

    fn fields(&self) -> Option<&Map<String, Value>> {
        self.0.as_object()
    }
}

/// A path that was made fit to be shown when it was written down, unless it is not.
fn shown_once(path: &str) -> String {
    let rest = path.replace('\\', "");
    match shown(&rest) == rest {
        true => path.to_owned(),
        false => shown(path),
    }
}
