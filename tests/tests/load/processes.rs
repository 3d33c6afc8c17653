//! Two processes with one workspace and one database at once, and one session in both.
//!
//! The test program is its own child: with `DSH_LOAD_CHILD` set to a folder it makes calls
//! there, and leaves its account beside the workspace.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};

use serde_json::Value;

use super::account::Account;
use super::actor::Actor;
use super::ground::Ground;
use super::mix::Load;
use super::{alone, calls};

const CHILD: &str = "DSH_LOAD_CHILD";
const LABEL: &str = "DSH_LOAD_LABEL";

/// The sessions of one process, beside the one that both have.
const SESSIONS: usize = 20;

/// Does nothing unless this process is a child.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD) else {
        return;
    };
    let label = std::env::var(LABEL).expect("a label");
    let ground = Ground::of(Path::new(&folder));
    let harness = ground.harness();
    let own = (0..SESSIONS).map(|number| Actor::agent(&harness, &format!("{label}{number}")));
    let mut actors: Vec<Actor> = own.collect();
    actors.push(Actor::agent(&harness, "both").shared());
    let load = Load::new(actors, calls() / 2);
    let watched = load.run();
    load.check_answers();
    println!("{watched}\n{}", load.told());
    let account = load.account.told().to_string();
    fs::write(account_of(&ground, &label), account).expect("an account");
    watched.check_memory();
}

/// Fails like the others; and without `busy_timeout` in `Store::open` of `host/state`, which
/// lets one process wait for the transaction of the other.
#[test]
fn two_processes_with_one_database_lose_no_update() {
    let _alone = alone();
    let ground = Ground::new();
    let children = ["a", "b"].map(|label| start(&ground, label));
    for child in children {
        let ended = child.wait_with_output().expect("it ends");
        told(&ended.stdout);
        told(&ended.stderr);
        assert!(ended.status.success(), "a process failed");
    }
    let account = Account::new();
    for label in ["a", "b"] {
        let text = fs::read_to_string(account_of(&ground, label)).expect("an account");
        account.add_all(&serde_json::from_str::<Value>(&text).expect("JSON"));
    }
    account.check(&ground.counters());
}

fn start(ground: &Ground, label: &str) -> Child {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["processes::child", "--exact", "--nocapture"]);
    command.env(CHILD, ground.folder()).env(LABEL, label);
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    command.spawn().expect("a process")
}

/// What a child printed, marked as such: `.ci/test` counts the results of programs.
fn told(printed: &[u8]) {
    for line in String::from_utf8_lossy(printed).lines() {
        println!("child: {line}");
    }
}

fn account_of(ground: &Ground, label: &str) -> std::path::PathBuf {
    ground.folder().join(format!("account-{label}.json"))
}
