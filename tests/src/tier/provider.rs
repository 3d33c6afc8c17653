//! The operations of the provider, on files that are opened as a vector asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result, anyhow};
use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::local::LocalFileSystem;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{ExecutionPolicy, Mode, Target};
use dsh_fs::version::VersionSecret;
use serde_json::{Value, json};

use super::{mutate, tell};
use crate::case::{Case, PolicyGiven};
use crate::content;
use crate::places::Places;

/// The operations.
pub(super) const KNOWN: [&str; 21] = [
    "resolve",
    "same-key",
    "contains",
    "under",
    "stat",
    "lstat",
    "read-text",
    "read-bytes",
    "list",
    "stream-open",
    "stream-text",
    "stream-collect",
    "version",
    "same-version",
    "roots",
    "write",
    "edit",
    "all",
    "open-files",
    "process-path",
    "load",
];

/// The most bytes that `read-text` may have.
const MOST: u64 = 1 << 32;

/// Why an operation cannot be performed as it is given.
pub(super) fn can(op: &Value) -> Result<(), String> {
    if op["case_sensitive"] == false {
        return Err("a file system that folds case".to_owned());
    }
    if op["op"] == "load" && op["plugin"] != "sandbox-policy" {
        return Err("a configuration of the tools by a file".to_owned());
    }
    if op["op"] == "all" {
        for inner in op["ops"].as_array().into_iter().flatten() {
            let name = inner["op"].as_str().unwrap_or("");
            if !["write", "edit", "read-text", "stat"].contains(&name) {
                return Err(format!("the operation {name} at once with others"));
            }
        }
    }
    Ok(())
}

/// What a vector has stored by name.
#[derive(Default)]
struct Stored {
    targets: HashMap<String, Target>,
    versions: HashMap<String, String>,
}

/// The provider of one vector.
pub(super) struct Provider<'a> {
    case: &'a Case,
    places: &'a Places,
    sandbox: Arc<SandboxedFileSystem>,
    stored: Mutex<Stored>,
}

/// The files of this machine behind a fence, with the roots of a policy.
pub(super) fn sandbox(policy: &PolicyGiven, places: &Places) -> Result<Arc<SandboxedFileSystem>> {
    let rules = match policy.temporary {
        Some(false) => RootRules::workspace_only(),
        _ => RootRules::new(Some(&std::env::temp_dir())),
    };
    let extra = policy.extra_roots.iter().map(|root| places.fill(root));
    let rules = extra.fold(rules, RootRules::with_root);
    let mut rules = policy
        .protected
        .iter()
        .fold(rules, RootRules::with_protected);
    for pattern in &policy.deny_read {
        rules = rules.with_deny_read(&places.fill(pattern))?;
    }
    let local = LocalFileSystem::new(VersionSecret::random()?, Default::default());
    Ok(Arc::new(SandboxedFileSystem::new(Arc::new(local), rules)))
}

impl<'a> Provider<'a> {
    pub(super) fn new(case: &'a Case, places: &'a Places) -> Result<Self> {
        let policy = case.given.policy.clone().unwrap_or_default();
        Ok(Self {
            case,
            places,
            sandbox: sandbox(&policy, places)?,
            stored: Mutex::default(),
        })
    }

    /// The files behind their fence, for sessions.
    pub(super) fn sandbox(&self) -> Arc<SandboxedFileSystem> {
        Arc::clone(&self.sandbox)
    }

    /// Performs one operation.
    pub(super) fn perform(&self, op: &Value) -> Result<Value> {
        let name = op["op"].as_str().context("an operation")?;
        match name {
            "all" => return self.all(op),
            "roots" => return self.roots(op),
            "load" => return Ok(load(op)),
            "same-version" => return self.same_version(op),
            _ => {}
        }
        let files = self.files(op)?;
        let done = match name {
            "resolve" => self.resolve(&files, op),
            "same-key" => self
                .pair(&files, op, "a", "b")
                .map(|pair| json!(pair.0.key == pair.1.key)),
            "contains" => {
                let pair = self.pair(&files, op, "parent", "child");
                pair.map(|(parent, child)| json!(files.contains(&parent.key, &child.key)))
            }
            "under" => Ok(self.under(&files, op)),
            "lstat" => self.lstat(&files, op),
            "write" | "edit" => self.mutate(&files, op)?,
            _ => self
                .target(&files, op, "path")
                .and_then(|target| self.look(&files, &target, op)),
        };
        Ok(done.unwrap_or_else(|error| tell::failure(&error)))
    }

    /// The files of a policy: the one of the operation, else of the vector, else none.
    fn files(&self, op: &Value) -> Result<Files> {
        let sandbox = &self.sandbox;
        let policy = self.policy(op)?;
        let roots = sandbox.pin(&policy).map_err(|error| anyhow!("{error}"))?;
        Ok(sandbox.open(policy, roots, Guarding::Bare, None))
    }

    fn policy(&self, op: &Value) -> Result<ExecutionPolicy> {
        let given = self.case.given.policy.as_ref();
        let (mode, root) = match op.get("policy") {
            Some(policy) => (policy["mode"].as_str(), policy["workspaceRoot"].as_str()),
            None => match given {
                Some(policy) => (
                    Some(policy.mode.as_deref().unwrap_or("read-only")),
                    policy.workspace_root.as_deref(),
                ),
                None => (Some("danger-full-access"), None),
            },
        };
        Ok(ExecutionPolicy {
            mode: mode
                .and_then(Mode::from_name)
                .context("a mode that exists")?,
            workspace_root: self.places.fill(root.unwrap_or("$WS")),
            session_id: None,
        })
    }

    fn resolve(&self, files: &Files, op: &Value) -> Result<Value, Error> {
        let target = self.target(files, op, "path")?;
        if let Some(name) = op["as"].as_str() {
            self.stored()
                .targets
                .insert(name.to_owned(), target.clone());
        }
        Ok(json!({"key": target.key, "display": target.display}))
    }

    /// The target that a field names: a stored one, or the path itself.
    fn target(&self, files: &Files, op: &Value, field: &str) -> Result<Target, Error> {
        let named = op[field].as_str().unwrap_or("");
        if let Some(target) = self.stored().targets.get(named) {
            return Ok(target.clone());
        }
        let cancel = Cancel::new();
        let base = op["cwd"].as_str().map_or("$WS", |cwd| cwd);
        files.resolve(
            &self.places.fill(named),
            Some(&self.places.fill(base)),
            &cancel,
        )
    }

    fn pair(&self, files: &Files, op: &Value, a: &str, b: &str) -> Result<(Target, Target), Error> {
        Ok((self.target(files, op, a)?, self.target(files, op, b)?))
    }

    /// Whether a path is beneath a root that is there.
    fn under(&self, files: &Files, op: &Value) -> Value {
        let Ok((root, path)) = self.pair(files, op, "root", "path") else {
            return json!(false);
        };
        let there = files
            .stat(&root, &Cancel::new())
            .is_ok_and(|info| info.is_some());
        json!(there && files.contains(&root.key, &path.key))
    }

    fn lstat(&self, files: &Files, op: &Value) -> Result<Value, Error> {
        let path = self.places.fill(op["path"].as_str().unwrap_or(""));
        let base = self.places.fill(op["cwd"].as_str().unwrap_or("$WS"));
        let info = files.lstat(&path, Some(&base), &cancel(op))?;
        Ok(info.map_or(Value::Null, |info| tell::path_info(&info)))
    }

    fn look(&self, files: &Files, target: &Target, op: &Value) -> Result<Value, Error> {
        let cancel = cancel(op);
        match op["op"].as_str().unwrap_or("") {
            "stat" => {
                let info = files.stat(target, &cancel)?;
                Ok(info.map_or(Value::Null, |info| tell::info(&info)))
            }
            "read-text" => Ok(json!(files.read_text(target, MOST, &cancel)?.text)),
            "read-bytes" => {
                let bytes = files.read_bytes(target, op["max"].as_u64().unwrap_or(0), &cancel)?;
                Ok(json!({"hex": content::to_hex(&bytes)}))
            }
            "list" => {
                let entries = files.list_dir(target, &cancel)?;
                Ok(entries.iter().map(tell::entry).collect())
            }
            "version" => {
                let version = files.read_text(target, MOST, &cancel)?.version;
                self.store_version(op, &version);
                Ok(json!({"version": version}))
            }
            "process-path" => Ok(json!(files.process_path(&target.key)?.to_string_lossy())),
            _ => stream(files, target, op, &cancel),
        }
    }

    fn mutate(&self, files: &Files, op: &Value) -> Result<Result<Value, Error>> {
        let target = match self.target(files, op, "path") {
            Ok(target) => target,
            Err(error) => return Ok(Err(error)),
        };
        let guard = op["guard"].as_str().map(|name| {
            let stored = self.stored().versions.get(name).cloned();
            if name == "create" {
                mutate::Demand::Create
            } else {
                mutate::Demand::Version(stored.unwrap_or(name.to_owned()))
            }
        });
        let done = mutate::perform(files, &target, op, guard, self.places, &cancel(op))?;
        if let Ok(mutation) = &done {
            self.store_version(op, &mutation.version);
        }
        Ok(done.map(|mutation| tell::mutation(&mutation)))
    }

    fn store_version(&self, op: &Value, version: &str) {
        if let Some(name) = op["as"].as_str() {
            self.stored()
                .versions
                .insert(name.to_owned(), version.to_owned());
        }
    }

    fn same_version(&self, op: &Value) -> Result<Value> {
        let stored = self.stored();
        let version = |field: &str| {
            let name = op[field].as_str().context("the name of a version")?;
            stored.versions.get(name).context("a stored version")
        };
        Ok(json!(version("a")? == version("b")?))
    }

    fn roots(&self, op: &Value) -> Result<Value> {
        let temporary = op["tmpdir"].as_str().map(|dir| self.places.path(dir));
        let rules = RootRules::new(temporary.as_deref());
        let roots = rules
            .derive(&self.policy(op)?)
            .map_err(|error| anyhow!("{error}"))?;
        Ok(json!(roots.texts()))
    }

    /// Runs operations at once: how many succeeded, and the codes of the others.
    fn all(&self, op: &Value) -> Result<Value> {
        let ops = op["ops"].as_array().context("`ops` is a list")?;
        let results: Vec<Result<Value>> = thread::scope(|scope| {
            let running: Vec<_> = ops
                .iter()
                .map(|op| scope.spawn(move || self.perform(op)))
                .collect();
            running
                .into_iter()
                .map(|one| one.join().unwrap_or_else(|_| Err(anyhow!("a panic"))))
                .collect()
        });
        let results: Result<Vec<Value>> = results.into_iter().collect();
        Ok(tell::several(&results?))
    }

    fn stored(&self) -> std::sync::MutexGuard<'_, Stored> {
        self.stored
            .lock()
            .expect("no operation panics while it holds the stored names")
    }
}

/// A deployment with this policy: refused where the mode does not exist.
fn load(op: &Value) -> Value {
    match op["config"]["mode"].as_str().map(Mode::from_name) {
        Some(None) => json!({"refused": "the mode does not exist"}),
        _ => json!({"loaded": true}),
    }
}

/// A flag as the operation asks for it. A cancellation `during` the call is raised before
/// its first look: a flag has no later moment that a runner could name.
fn cancel(op: &Value) -> Cancel {
    let cancel = Cancel::new();
    if matches!(op["abort"].as_str(), Some("before" | "during")) {
        cancel.cancel();
    }
    cancel
}

fn stream(files: &Files, target: &Target, op: &Value, cancel: &Cancel) -> Result<Value, Error> {
    let mut stream = files.stream_text(target);
    if op["op"] == "stream-open" {
        return Ok(json!({"opened": true}));
    }
    let mut text = String::new();
    let ended = loop {
        match stream.next(cancel) {
            Ok(Some(piece)) => text.push_str(&piece),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
        if op["abort_after_first"] == true {
            cancel.cancel();
        }
    };
    if op["op"] == "stream-collect" {
        let failed = ended.err().map(|error| error.code.name());
        return Ok(json!({"some_text": !text.is_empty(), "failed": failed}));
    }
    ended?;
    if op["summary"] == true {
        return Ok(json!({"length": text.chars().count()}));
    }
    Ok(json!(text))
}
