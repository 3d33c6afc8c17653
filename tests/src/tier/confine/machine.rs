//! A machine that a vector describes, and what `confine` answers on it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use dsh_fs::roots::RootRules;
use dsh_fs::types::{ExecutionPolicy, Mode};
use dsh_fs_confine::{
    Backend, Confined, FailureRule, Platform, Probe, Runner, Shell, ShellOptions, Unavailable, Used,
};
use serde_json::{Map, Value, json};

use super::{refusal, texts};

/// How often each probe was made.
type Counts = Arc<Mutex<BTreeMap<&'static str, u64>>>;

/// The machine of `host`.
struct Described {
    host: Value,
    counts: Counts,
}

impl Described {
    fn probed(&self, what: &'static str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(what).or_default() += 1;
    }
}

impl Probe for Described {
    fn platform(&self) -> Platform {
        match self.host["platform"].as_str() {
            Some("linux") => Platform::Linux,
            Some("darwin") => Platform::MacOs,
            _ => Platform::Other,
        }
    }

    fn bubblewrap(&self, program: &Path, _: Duration) -> Result<PathBuf, String> {
        self.probed("bwrap");
        let works = self.host["bwrap"] == true;
        works
            .then(|| program.to_owned())
            .ok_or_else(|| "it does not work".to_owned())
    }

    fn landlock(&self) -> Result<Vec<String>, String> {
        self.probed("landlock");
        match self.host["landlock"].as_str() {
            Some("full") => Ok(Vec::new()),
            Some("partial") => Ok(vec!["an older kernel".to_owned()]),
            _ => Err("it is off".to_owned()),
        }
    }

    fn seatbelt(&self) -> Result<(), String> {
        self.probed("seatbelt");
        let works = self.host["seatbelt"] == true;
        works
            .then_some(())
            .ok_or_else(|| "it is not there".to_owned())
    }
}

/// The backend of that name; those of other systems have none.
pub(super) fn used(name: &str) -> Option<Used> {
    match name {
        "bwrap" => Some(Used::Bubblewrap),
        "landlock" => Some(Used::Landlock),
        "seatbelt" => Some(Used::Seatbelt),
        _ => None,
    }
}

/// The operation `confine`.
pub(super) fn confine(op: &Value) -> Result<Value> {
    let counts = Counts::default();
    let shell = shell(op, Arc::clone(&counts))?;
    let temporary = op["tmpdir"].as_str().map(Path::new);
    let policy = policy(&op["policy"]).context("`policy`")?;
    let roots = RootRules::new(temporary).derive(&policy)?;
    let argv: Vec<OsString> = texts(&op["argv"]).into_iter().map(OsString::from).collect();
    let mut answer = Value::Null;
    for _ in 0..op["times"].as_u64().unwrap_or(1) {
        answer = match shell.confine(&argv, &policy, &roots) {
            Ok(confined) => told(&confined),
            Err(refused) => refusal(&refused),
        };
    }
    let counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    let count = |what| counts.get(what).copied().unwrap_or(0);
    let probes = ["bwrap", "landlock", "seatbelt"];
    answer["probes"] = probes
        .iter()
        .map(|what| ((*what).to_owned(), json!(count(*what))))
        .collect();
    Ok(answer)
}

fn shell(op: &Value, counts: Counts) -> Result<Shell> {
    let host = op["host"].clone();
    let runner = texts(&op["config"]["runnerCommand"]);
    let backend = if !runner.is_empty() {
        let signatures = texts(&op["config"]["runnerFailureSignatures"]);
        Backend::Custom(Runner::new(
            runner.into_iter().map(OsString::from).collect(),
            signatures,
        )?)
    } else if host["chain"].is_array() {
        let chain = texts(&host["chain"]);
        Backend::Chain(chain.iter().filter_map(|name| used(name)).collect())
    } else {
        Backend::Auto
    };
    Ok(Shell::on(
        options(backend),
        Box::new(Described { host, counts }),
    ))
}

fn options(backend: Backend) -> ShellOptions {
    ShellOptions {
        backend,
        landlock_wrapper: vec!["landlock-run".into()],
        ..ShellOptions::default()
    }
}

pub(super) fn policy(value: &Value) -> Option<ExecutionPolicy> {
    Some(ExecutionPolicy {
        mode: Mode::from_name(value["mode"].as_str()?)?,
        workspace_root: value["workspaceRoot"].as_str()?.to_owned(),
        session_id: None,
    })
}

/// The answer, with what its argv lets be written and what it runs.
fn told(confined: &Confined) -> Value {
    let argv: Vec<String> = confined
        .argv
        .iter()
        .map(|word| word.to_string_lossy().into())
        .collect();
    let (before, command) = match argv.iter().position(|word| word == "--") {
        Some(end) => (&argv[..end], &argv[end + 1..]),
        None => (&argv[..0], &argv[..]),
    };
    json!({
        "argv": argv,
        "runner": before.first(),
        "writable": writable(before),
        "command": command,
        "enforcement": confined.enforcement.name(),
        "denial": confined.denial_signatures,
        "failure": confined.failure_rules.iter().map(failure).collect::<Vec<_>>(),
    })
}

/// The directories that the arguments of bubblewrap or of a launcher name as writable.
pub(in crate::tier) fn writable(args: &[String]) -> Vec<String> {
    let mut places: Vec<String> = args
        .windows(2)
        .filter(|pair| pair[0] == "--bind" || pair[0] == "--rw" || pair[0] == "--tmpfs")
        .map(|pair| pair[1].clone())
        .filter(|place| place != "/dev/null")
        .collect();
    places.sort();
    places
}

fn failure(rule: &FailureRule) -> Value {
    let mut told = Map::new();
    if let Some(codes) = &rule.allowed_exit_codes {
        told.insert("allowedExitCodes".to_owned(), json!(codes));
    }
    told.insert("fatalSignatures".to_owned(), json!(rule.fatal_signatures));
    if !rule.informational_lines.is_empty() {
        told.insert(
            "informationalLines".to_owned(),
            json!(rule.informational_lines),
        );
    }
    Value::Object(told)
}

/// A command under a backend that works, for its words alone.
pub(super) fn with(used: Used) -> Result<Confined> {
    let host = json!({"platform": "linux", "bwrap": true, "landlock": "full", "seatbelt": true});
    let counts = Counts::default();
    let options = options(Backend::Chain(vec![used]));
    Ok(any_command(&Shell::on(
        options,
        Box::new(Described { host, counts }),
    ))?)
}

/// Some command in read-only mode.
pub(super) fn any_command(shell: &Shell) -> Result<Confined, Unavailable> {
    let policy = ExecutionPolicy {
        mode: Mode::ReadOnly,
        workspace_root: "/".to_owned(),
        session_id: None,
    };
    let roots = RootRules::workspace_only().derive(&policy);
    let roots = roots.map_err(|_| Unavailable::after(policy.mode, None))?;
    shell.confine(&["true".into()], &policy, &roots)
}
