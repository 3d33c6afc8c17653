//! Answers of the registry as vectors state them: ids by their names, stamps by comparison.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use dsh_fs_state::{StateError, Workspace};
use serde_json::{Value, json};

/// A workspace without its id and its stamps.
pub(super) fn answer(workspace: &Workspace) -> Value {
    json!({
        "path": workspace.path,
        "title": workspace.title,
        "sessions": workspace.sessions,
    })
}

pub(super) fn failure(error: &StateError) -> Value {
    json!({"fails": error.code(), "message": error.to_string()})
}

/// What a vector calls the workspaces that it makes: names with their ids, in the order in
/// which they were given.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<(String, String)>);

impl Names {
    /// The id that a name stands for; an id stands for itself.
    pub(super) fn id(&self, name: &str) -> String {
        let known = self.0.iter().find(|(known, _)| known == name);
        known.map_or(name, |(_, id)| id.as_str()).to_owned()
    }

    /// The first name of an id; the id where it has none.
    pub(super) fn name(&self, id: &str) -> String {
        let known = self.0.iter().find(|(_, known)| known == id);
        known.map_or(id, |(name, _)| name.as_str()).to_owned()
    }

    pub(super) fn order(&self, all: &[Workspace]) -> Value {
        all.iter().map(|one| json!(self.name(&one.id))).collect()
    }

    /// What a create answers, with the names that the workspace had before.
    pub(super) fn made(&mut self, made: &Workspace, name: Option<&str>) -> Value {
        let before = self.0.iter().filter(|(_, id)| *id == made.id);
        let before: Vec<&String> = before.map(|(name, _)| name).collect();
        let mut told = answer(made);
        told["same_as"] = json!(before);
        if let Some(name) = name {
            self.0.push((name.to_owned(), made.id.clone()));
        }
        told
    }
}

/// Stamps that were put by.
#[derive(Debug, Default)]
pub(super) struct Stamps(BTreeMap<String, (i64, i64)>);

impl Stamps {
    /// Tells the stamps of now, puts them by (`stamp`), or compares them (`stamp-diff`).
    pub(super) fn perform(&mut self, op: &Value, workspace: Option<&Workspace>) -> Value {
        let Some(workspace) = workspace else {
            return Value::Null;
        };
        let (created, updated) = (workspace.created_ms, workspace.updated_ms);
        let name = op["as"].as_str().unwrap_or_default().to_owned();
        match (op["op"].as_str(), self.0.get(&name)) {
            (Some("stamp"), _) => {
                self.0.insert(name, (created, updated));
                json!({"done": true})
            }
            (Some("stamp-diff"), Some((old_created, old_updated))) => json!({
                "created_same": created == *old_created,
                "updated_same": updated == *old_updated,
            }),
            _ => json!({
                "created_iso": is_recent(created),
                "equal": created == updated,
                "ordered": created <= updated,
            }),
        }
    }
}

/// Whether a stamp is a time of the last minutes.
fn is_recent(at_ms: i64) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_millis());
    u128::try_from(at_ms).is_ok_and(|at| at <= now && now - at < 600_000)
}
