//! The shortest flow of read, write and edit: a gate decides, guest/text edits, and plain
//! calls of the standard library move the bytes.
//!
//! A program that is asked through an adapter edits by its own rules where it has any.
//! It shows that decisions and edits are right without the host, for vectors with plain
//! files whose expectations are codes and contents. It keeps no promise about races.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::path::Path;

use anyhow::{Context, Result, bail};
use dsh_fs_text::edit::{Content, EditRefusal, plan};
use dsh_fs_text::utf8::Checker;
use serde_json::{Value, json};

use super::Stage;
use super::brain::{Brain, Intent, PlainEdit, Prior};
use crate::case::{Case, Step};
use crate::outside;
use crate::places::Places;

/// Whether a vector has nothing but plain files and plain expectations.
pub(super) fn can(case: &Case) -> bool {
    let given = &case.given;
    let plain = given.tool_config.is_none() && given.session_cwd.is_none() && !given.unprivileged;
    let trees = [&given.ws, &given.out, &given.base];
    let nodes = trees.iter().flat_map(|tree| tree.values());
    plain
        && given.component.is_none()
        && given.approval.is_none()
        && nodes.into_iter().all(plain_node)
        && given.policy.as_ref().is_none_or(|policy| {
            policy.mode.as_deref() == Some("workspace-write") && policy.workspace_root.is_none()
        })
        && case.steps.iter().all(|step| plain_step(given.gate, step))
        && case.steps.iter().any(|step| step.op["op"] != "ext")
        && case.files.values().all(|file| file.get("mode").is_none())
}

fn plain_node(node: &Value) -> bool {
    ["link", "hard", "fifo", "mode", "owner"]
        .iter()
        .all(|field| node.get(field).is_none())
}

fn plain_step(gate: bool, step: &Step) -> bool {
    let op = &step.op;
    let fields: &[&str] = match (step.name(), op["name"].as_str()) {
        ("ext" | "copy-over", _) => return true,
        ("edit", _) if !gate => return edit_alone(step),
        ("tool", Some("read")) => &["file_path", "offset", "limit"],
        ("tool", Some("write")) => &["file_path", "content"],
        ("tool", Some("edit")) => &["file_path", "old_string", "new_string", "replace_all"],
        _ => return false,
    };
    let named = |value: &Value, known: &[&str]| {
        value
            .as_object()
            .is_some_and(|it| it.keys().all(|key| known.contains(&key.as_str())))
    };
    gate && named(op, &["op", "name", "args"])
        && named(&op["args"], fields)
        && typed(op)
        && plain_path(&op["args"]["file_path"])
        && codes_only(&step.expect)
}

/// Whether the arguments are of the types and ranges that the toolbox would accept.
fn typed(op: &Value) -> bool {
    let args = &op["args"];
    let text = |name: &str| args[name].is_string();
    let number = |name: &str| {
        args.get(name)
            .is_none_or(|it| it.as_u64().is_some_and(|it| it > 0))
    };
    let all = args.get("replace_all").is_none_or(Value::is_boolean);
    match op["name"].as_str() {
        Some("read") => number("offset") && number("limit"),
        Some("write") => text("content"),
        _ => text("old_string") && text("new_string") && all,
    }
}

fn edit_alone(step: &Step) -> bool {
    let op = &step.op;
    let known = ["op", "path", "old", "new", "all"];
    let fields = op
        .as_object()
        .is_some_and(|it| it.keys().all(|it| known.contains(&it.as_str())));
    let same = op["old"] == op["new"] || op["old"] == "";
    fields && !same && plain_path(&op["path"]) && codes_only(&step.expect)
}

fn plain_path(path: &Value) -> bool {
    path.as_str().is_some_and(|path| {
        let odd = path.starts_with(['/', '$']) || path.ends_with('/') || path.contains('\0');
        !path.trim().is_empty() && path.len() < 200 && !odd && !path.contains("..")
    })
}

fn codes_only(expect: &Value) -> bool {
    match expect {
        Value::String(_) => true,
        Value::Object(fields) => {
            fields.len() == 1 && fields.get("fails").is_some_and(|fails| !fails.is_null())
        }
        _ => false,
    }
}

/// A stage for such a vector.
pub(super) fn stage<'a>(
    places: &'a Places,
    mut brain: Box<dyn Brain + 'a>,
) -> Result<Box<dyn Stage + 'a>> {
    let ledger = brain.ledger()?;
    Ok(Box::new(Paper {
        places,
        brain,
        ledger,
    }))
}

struct Paper<'a> {
    places: &'a Places,
    brain: Box<dyn Brain + 'a>,
    ledger: usize,
}

impl Stage for Paper<'_> {
    fn perform(&mut self, step: &Step) -> Result<Value> {
        let op = &step.op;
        let args = &op["args"];
        let done = match (step.name(), op["name"].as_str()) {
            ("ext" | "copy-over", _) => return outside::change(op, self.places),
            ("edit", _) => self.edit(op, "path", "old", "new", op["all"] == true, false)?,
            (_, Some("read")) => self.read(args)?,
            (_, Some("write")) => self.write(args)?,
            (_, Some("edit")) => {
                let all = args["replace_all"] == true;
                self.edit(args, "file_path", "old_string", "new_string", all, true)?
            }
            (name, _) => bail!("the operation `{name}` is not one of paper"),
        };
        Ok(match done {
            Ok(()) => json!({"done": true}),
            Err(code) => json!({"fails": code}),
        })
    }
}

/// What is at a path.
enum Found {
    Nothing,
    Text(String, bool, Vec<u8>),
    Refused(&'static str),
}

type Done = Result<(), String>;

impl Paper<'_> {
    fn read(&mut self, args: &Value) -> Result<Done> {
        let key = text(args, "file_path")?;
        let (text, bytes) = match look(&self.places.path(key))? {
            Found::Nothing => {
                self.brain.observe(self.ledger, key, &Prior::Absent)?;
                return Ok(Err("FS_NOT_FOUND".to_owned()));
            }
            Found::Refused(code) => return Ok(Err(code.to_owned())),
            Found::Text(text, _, bytes) => (text, bytes),
        };
        self.brain
            .observe(self.ledger, key, &Prior::Present(version(&bytes)))?;
        let offset = args["offset"].as_u64().unwrap_or(1);
        let past = offset > 1 && offset > text.lines().count() as u64;
        Ok(if past {
            Err("FS_NOT_FOUND".to_owned())
        } else {
            Ok(())
        })
    }

    fn write(&mut self, args: &Value) -> Result<Done> {
        let key = text(args, "file_path")?;
        let path = self.places.path(key);
        let intent = self.brain.write_intent(self.ledger, key)?;
        if path.is_dir() {
            return Ok(Err("FS_NOT_REGULAR_FILE".to_owned()));
        }
        let there = fs::read(&path).ok();
        let refused = match (&intent, &there) {
            (Intent::Create, Some(_)) => Some("FS_NOT_OBSERVED"),
            (Intent::Version(seen), Some(bytes)) if *seen == version(bytes) => None,
            (Intent::Version(_), _) => Some("FS_STALE_VERSION"),
            (Intent::Create | Intent::Unconditional, _) => None,
        };
        if let Some(code) = refused {
            return Ok(Err(code.to_owned()));
        }
        self.publish(key, text(args, "content")?.as_bytes())
    }

    fn edit(
        &mut self,
        args: &Value,
        path: &str,
        old: &str,
        new: &str,
        all: bool,
        guarded: bool,
    ) -> Result<Done> {
        let (key, old, new) = (text(args, path)?, text(args, old)?, text(args, new)?);
        if old.is_empty() || old == new {
            return Ok(Err("INVALID_ARGUMENTS".to_owned()));
        }
        let intent = match guarded {
            true => match self.brain.edit_intent(self.ledger, key)? {
                Ok(intent) => intent,
                Err(refusal) => return Ok(Err(refusal.code)),
            },
            false => Intent::Unconditional,
        };
        let (content, mark, bytes) = match look(&self.places.path(key))? {
            Found::Text(text, mark, bytes) => (text, mark, bytes),
            Found::Refused(code) => return Ok(Err(code.to_owned())),
            Found::Nothing if guarded => return Ok(Err("FS_STALE_VERSION".to_owned())),
            Found::Nothing => return Ok(Err("FS_NOT_FOUND".to_owned())),
        };
        if matches!(&intent, Intent::Version(seen) if *seen != version(&bytes)) {
            return Ok(Err("FS_STALE_VERSION".to_owned()));
        }
        let whole = String::from_utf8(bytes).context("a text")?;
        let edit = PlainEdit {
            content: &whole,
            old,
            new,
            all,
        };
        let edited = match self.brain.apply_edit(&edit)? {
            Some(edited) => edited,
            None => edited(&content, mark, old, new, all).map_err(str::to_owned),
        };
        match edited {
            Ok(edited) => self.publish(key, edited.as_bytes()),
            Err(code) => Ok(Err(code)),
        }
    }

    fn publish(&mut self, key: &str, bytes: &[u8]) -> Result<Done> {
        let path = self.places.path(key);
        fs::create_dir_all(path.parent().context("a parent")?)?;
        fs::write(&path, bytes)?;
        self.brain
            .observe(self.ledger, key, &Prior::Present(version(bytes)))?;
        Ok(Ok(()))
    }
}

fn text<'v>(args: &'v Value, name: &str) -> Result<&'v str> {
    args[name]
        .as_str()
        .with_context(|| format!("the argument {name}"))
}

fn look(path: &Path) -> Result<Found> {
    if path.is_dir() {
        return Ok(Found::Refused("FS_NOT_REGULAR_FILE"));
    }
    let Ok(bytes) = fs::read(path) else {
        return Ok(Found::Nothing);
    };
    let mut checker = Checker::new();
    let checked = checker.feed(&bytes).map(|checked| checked.text.to_owned());
    let (Ok(text), Ok(())) = (checked, checker.finish()) else {
        return Ok(Found::Refused("FS_NOT_TEXT"));
    };
    Ok(Found::Text(text, checker.byte_order_mark(), bytes))
}

fn edited(text: &str, mark: bool, old: &str, new: &str, all: bool) -> Result<String, &'static str> {
    let content = Content {
        text,
        byte_order_mark: mark,
    };
    let plan = plan(content, old, new, all).map_err(|refusal| match refusal {
        EditRefusal::Empty | EditRefusal::Same => "INVALID_ARGUMENTS",
        EditRefusal::NotFound => "FS_EDIT_NOT_FOUND",
        EditRefusal::Ambiguous { .. } => "FS_AMBIGUOUS_EDIT",
    })?;
    let before = if mark { "\u{feff}" } else { "" };
    Ok(std::iter::once(before).chain(plan.pieces(text)).collect())
}

fn version(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}
