//! What the operations of a case did so far, and what we leave where the reference leaves
//! something else.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::facts::{Facts, kernel};
use crate::case::Case;
use crate::content;
use crate::name;
use crate::places::Places;

/// What the operations before did.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The content at each stored version.
    versions: HashMap<String, Option<Vec<u8>>>,
    /// Paths that somebody changed without changing their content.
    touched: HashSet<PathBuf>,
    /// Paths whose content somebody changed.
    changed: HashSet<PathBuf>,
    /// Paths of which a window past the end was asked.
    past_the_end: HashSet<PathBuf>,
    /// What we leave at a path where the reference leaves something else.
    left: HashMap<PathBuf, Value>,
    /// Stored targets: the path as spelled, and where it led.
    targets: HashMap<String, (PathBuf, Option<PathBuf>)>,
    /// Targets of dangling links that we made.
    made: Vec<PathBuf>,
}

impl History {
    /// Takes in what an operation did: the disk before it, and our answer.
    pub fn take(
        &mut self,
        case: &Case,
        places: &Places,
        question_op: &Value,
        before: &Facts,
        found: &Value,
    ) {
        if let (Some(stored), "version") = (question_op["as"].as_str(), op(question_op)) {
            self.versions
                .insert(stored.to_owned(), before.content.clone());
        }
        if let (Some(stored), "resolve", Some(spelled)) =
            (question_op["as"].as_str(), op(question_op), &before.spelled)
        {
            let led = (spelled.clone(), before.kernel.clone());
            self.targets.insert(stored.to_owned(), led);
        }
        let wrote = found.get("fails").is_none() && found.get("operation").is_some();
        if let (Some(target), true) = (&before.dangling, wrote) {
            self.differed(case, places, question_op, before, found);
            self.made.push(target.clone());
        }
        let Some(path) = before.kernel.clone() else {
            return;
        };
        if op(question_op) == "ext" {
            let now = fs::read(&path).ok();
            let kept = now.is_some() && now == before.content;
            if kept {
                self.touched.insert(path)
            } else {
                self.changed.insert(path)
            };
            return;
        }
        let window = question_op["name"] == "read" && question_op["args"].get("offset").is_some();
        if window && found["fails"] == "FS_NOT_FOUND" && before.content.is_some() {
            self.past_the_end.insert(path);
        }
    }

    /// Whether two stored versions are of the same content.
    #[must_use]
    pub fn same(&self, a: &str, b: &str) -> Option<bool> {
        Some(self.versions.get(a)? == self.versions.get(b)?)
    }

    /// Whether a path was changed from outside, but never its content.
    #[must_use]
    pub fn only_touched(&self, facts: &Facts) -> bool {
        let Some(path) = &facts.kernel else {
            return false;
        };
        self.touched.contains(path) && !self.changed.contains(path)
    }

    /// Whether a window past the end of a path was asked.
    #[must_use]
    pub fn seen_past_the_end(&self, facts: &Facts) -> bool {
        facts
            .kernel
            .as_ref()
            .is_some_and(|path| self.past_the_end.contains(path))
    }

    /// Whether the path of a stored target leads elsewhere by now.
    #[must_use]
    pub fn leads_elsewhere(&self, stored: &str) -> bool {
        let target = self.targets.get(stored);
        target.is_some_and(|(spelled, led)| kernel(spelled) != *led)
    }

    /// Notes what we leave where the reference leaves something else.
    pub fn leave(&mut self, path: &Path, what: Value) {
        self.left.insert(path.to_path_buf(), what);
    }

    /// The names that a directory has besides those of the reference: targets of dangling
    /// links, made by us.
    #[must_use]
    pub fn made_in(&self, dir: &Path) -> Vec<String> {
        let made = self.made.iter().filter(|path| path.parent() == Some(dir));
        made.filter_map(|path| path.file_name())
            .map(name::to_text)
            .collect()
    }

    /// What we leave at a path of a vector.
    #[must_use]
    pub fn left(&self, path: &Path) -> Option<Value> {
        self.left.get(path).cloned()
    }

    /// Notes what edits at once leave, where each of them succeeds.
    fn all_done(&mut self, case: &Case, places: &Places, question_op: &Value) {
        let ops = question_op["ops"].as_array().cloned().unwrap_or_default();
        let paths = ops.iter().filter_map(|op| op["args"]["file_path"].as_str());
        for path in paths {
            if let Some(given) = case.given.ws.get(path).and_then(Value::as_str) {
                self.leave(
                    &places.path(path),
                    json!({"text": edited(given, &ops, path)}),
                );
            }
        }
    }

    /// Notes, for an operation that we answer otherwise than the reference, what is there
    /// afterwards: what was there before if we refuse, what the arguments say if we do it.
    pub fn differed(
        &mut self,
        case: &Case,
        places: &Places,
        question_op: &Value,
        before: &Facts,
        ours: &Value,
    ) {
        if op(question_op) == "all" {
            return self.all_done(case, places, question_op);
        }
        let stored = question_op["path"]
            .as_str()
            .and_then(|stored| self.targets.get(stored));
        if let Some(now) = stored.and_then(|(spelled, _)| kernel(spelled)) {
            self.leave(&now, Value::Null);
            return;
        }
        let Some(path) = before.spelled.clone() else {
            return;
        };
        if ours.get("fails").is_some() {
            let kept = before.content.as_ref();
            let unreadable = before.mode.map_or(Value::Null, |_| json!({}));
            let kept = kept.map_or(unreadable, |bytes| json!({"hex": content::to_hex(bytes)}));
            self.leave(&path, kept);
            return;
        }
        let args = if question_op["op"] == "tool" {
            &question_op["args"]
        } else {
            question_op
        };
        let field = |long: &str, short: &str| {
            args[long]
                .as_str()
                .or_else(|| args[short].as_str())
                .map(str::to_owned)
        };
        if let Some(content) = field("content", "content") {
            self.leave(&path, json!({"text": content}));
        } else if let (Some(old), Some(new), Some(text)) = (
            field("old_string", "old"),
            field("new_string", "new"),
            text(before),
        ) {
            self.leave(&path, json!({"text": text.replacen(&old, &new, 1)}));
        }
        if let Some(target) = &before.dangling {
            let link = fs::read_link(&path).map(|to| to.to_string_lossy().into_owned());
            if let (Some(content), Ok(link)) = (self.left.remove(&path), link) {
                self.leave(target, content);
                self.leave(&path, json!({"link": link}));
            }
        }
    }
}

/// The given text of a path with every edit of these operations applied, in order.
fn edited(given: &str, ops: &[Value], path: &str) -> String {
    ops.iter()
        .filter(|op| op["args"]["file_path"] == path)
        .fold(given.to_owned(), |text, op| {
            let argument = |name: &str| op["args"][name].as_str().unwrap_or("").to_owned();
            text.replacen(&argument("old_string"), &argument("new_string"), 1)
        })
}

fn op(question_op: &Value) -> &str {
    question_op["op"].as_str().unwrap_or("")
}

fn text(facts: &Facts) -> Option<String> {
    String::from_utf8(facts.content.clone()?).ok()
}
