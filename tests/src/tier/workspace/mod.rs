//! The registry of workspaces over a database of its own, and real directories.
//!
//! What a vector states about the reference's storage is read as what it says about ours:
//! `stored` and `given.domain` are the rows of the tables, `changes` is whether a
//! transaction was written. A state that the tables refuse fails the start.

mod seed;
mod told;

use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result};
use dsh_fs_state::{StateError, Store, Workspace, Workspaces};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Stage;
use crate::case::{Case, Step};
use crate::outside;
use crate::places::Places;
use told::{Names, Stamps, answer, failure};

/// The operations on the registry.
const KNOWN: [&str; 25] = [
    "start",
    "stop",
    "create",
    "all",
    "get",
    "resolve",
    "list",
    "order",
    "status",
    "title",
    "delete",
    "attach",
    "detach",
    "move-session",
    "move",
    "archive",
    "unarchive",
    "archived",
    "stamps",
    "stamp",
    "stamp-diff",
    "stored",
    "changes",
    "set-sessions",
    "list-fails-once",
];

/// A stage for a vector about the registry.
pub(super) fn stage<'a>(case: &'a Case, places: &'a Places) -> Result<Box<dyn Stage + 'a>, String> {
    for step in &case.steps {
        can(step)?;
    }
    let domain = case.given.domain.clone().unwrap_or_default();
    let registry = Registry::new(&places.fill_value(&domain), places);
    Ok(Box::new(registry.map_err(|error| format!("{error:#}"))?))
}

fn can(step: &Step) -> Result<(), String> {
    if step.op.get("faults").is_some() {
        return Err("faults of the reference's own storage".to_owned());
    }
    match step.name() {
        "ext" | "list-calls" => Ok(()),
        name if KNOWN.contains(&name) => Ok(()),
        name => Err(format!("the operation {name} of the registry")),
    }
}

/// One database; its registry while it is started; and a connection that looks at the rows.
struct Registry<'a> {
    places: &'a Places,
    folder: TempDir,
    rows: Connection,
    version: i64,
    refused: Option<String>,
    listing_fails: bool,
    started: Option<Workspaces>,
    names: Names,
    stamps: Stamps,
}

impl<'a> Registry<'a> {
    fn new(domain: &Value, places: &'a Places) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = folder.path().join("state.db");
        drop(Store::open(&database)?);
        let mut rows = Connection::open(&database)?;
        rows.pragma_update(None, "foreign_keys", true)?;
        let refused = seed::plant(&mut rows, domain)?;
        Ok(Self {
            places,
            version: seed::version(&rows)?,
            folder,
            rows,
            refused,
            listing_fails: false,
            started: None,
            names: Names::default(),
            stamps: Stamps::default(),
        })
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("state.db")
    }

    fn registry(&self) -> Result<&Workspaces> {
        self.started.as_ref().context("a registry that is started")
    }

    fn start(&mut self, op: &Value) -> Result<Value> {
        if op["persistence"] == false {
            let nowhere = self.folder.path().join("no-folder/state.db");
            return Ok(json!({"active": Store::open(&nowhere).is_ok()}));
        }
        if let Some(why) = &self.refused {
            return Ok(json!({"fails": seed::REFUSED, "message": why}));
        }
        let fails = std::mem::take(&mut self.listing_fails);
        if fails {
            seed::hide_sessions(&self.rows)?;
        }
        let started = Store::open(&self.database()).and_then(|store| store.workspaces());
        if fails {
            seed::show_sessions(&self.rows)?;
        }
        Ok(match started {
            Ok(registry) => {
                self.started = Some(registry);
                json!({"active": true})
            }
            Err(error) => failure(&error),
        })
    }

    /// Creates at once, each through a connection of its own.
    fn all(&mut self, op: &Value) -> Result<Value> {
        let ops = op["ops"].as_array().context("`ops` is a list")?;
        let database = self.database();
        let made: Vec<Result<Workspace, StateError>> = thread::scope(|scope| {
            let create = |op: &Value| {
                let registry = Store::open(&database)?.workspaces()?;
                registry.create(
                    op["path"].as_str().unwrap_or_default(),
                    op["title"].as_str(),
                )
            };
            let running: Vec<_> = ops
                .iter()
                .map(|op| scope.spawn(move || create(op)))
                .collect();
            let ended = running.into_iter().map(|thread| thread.join());
            ended
                .map(|made| made.expect("a create does not panic"))
                .collect()
        });
        let made = made.into_iter().collect::<Result<Vec<_>, _>>()?;
        let same = made.iter().all(|one| one.id == made[0].id);
        Ok(json!({"same": same, "count": self.registry()?.list()?.len()}))
    }

    /// Whether anybody else has written to the database since this was asked last.
    fn changes(&mut self) -> Result<Value> {
        let now = seed::version(&self.rows)?;
        let before = std::mem::replace(&mut self.version, now);
        Ok(json!(now != before))
    }

    /// The operations that the registry itself answers.
    fn ask(&mut self, op: &Value) -> Result<Result<Value, StateError>> {
        let field = |name: &str| op[name].as_str().unwrap_or_default();
        let id = ["w", "id"].iter().find_map(|name| op[*name].as_str());
        let id = self.names.id(id.unwrap_or_default());
        let before = op["before"].as_str();
        let registry = self
            .started
            .as_ref()
            .context("a registry that is started")?;
        Ok(match field("op") {
            "create" => registry
                .create(field("path"), op["title"].as_str())
                .map(|made| self.names.made(&made, op["as"].as_str())),
            "get" => registry
                .get(&id)
                .map(|found| json!(found.as_ref().map(answer))),
            "resolve" => registry
                .resolve(field("path"))
                .map(|found| json!(found.as_ref().map(answer))),
            "list" => registry.list().map(|all| all.iter().map(answer).collect()),
            "order" => registry.list().map(|all| self.names.order(&all)),
            "status" => registry.status(&id).map(|status| json!(status.name())),
            "title" => titled(registry, &id, field("title")),
            "delete" => registry.delete(&id).map(|()| json!({"done": true})),
            "attach" => registry
                .attach(&id, field("session"))
                .map(|one| answer(&one)),
            "detach" => registry
                .detach(&id, field("session"))
                .map(|one| answer(&one)),
            "move-session" => registry
                .move_session(&id, field("session"), before)
                .map(|one| answer(&one)),
            "move" => registry
                .move_before(&id, before.map(|name| self.names.id(name)).as_deref())
                .map(|all| self.names.order(&all)),
            "archive" => registry.archive(field("session")).map(|all| json!(all)),
            "unarchive" => registry.unarchive(field("session")).map(|all| json!(all)),
            "archived" => registry.archived().map(|all| json!(all)),
            _ => registry
                .get(&id)
                .map(|found| self.stamps.perform(op, found.as_ref())),
        })
    }
}

/// A new title, and whether the time of creation stayed what it was.
fn titled(registry: &Workspaces, id: &str, title: &str) -> Result<Value, StateError> {
    let before = registry.get(id)?;
    let after = registry.retitle(id, title)?;
    let mut told = answer(&after);
    told["created_stable"] = json!(before.is_some_and(|one| one.created_ms == after.created_ms));
    Ok(told)
}

impl Stage for Registry<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        let op = &self.places.fill_value(&step.op);
        match step.name() {
            "ext" => outside::change(op, self.places),
            "start" => self.start(op),
            "stop" => {
                self.started = None;
                Ok(json!({"done": true}))
            }
            "all" => self.all(op),
            "changes" => self.changes(),
            "stored" => seed::rows(&self.rows, &self.names),
            "set-sessions" => seed::replace_sessions(&self.rows, &op["sessions"]),
            "list-fails-once" => {
                self.listing_fails = true;
                Ok(json!({"done": true}))
            }
            "list-calls" => Ok(json!("nobody counts them")),
            _ => Ok(self.ask(op)?.unwrap_or_else(|error| failure(&error))),
        }
    }
}
