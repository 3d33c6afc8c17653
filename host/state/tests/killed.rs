//! A process that is killed while it changes the database, again and again: what it had
//! acknowledged is there, and everything is whole. And several processes at once.
//!
//! The test program is its own child: with `DSH_STATE_CHILD` set to a database it changes
//! that one and prints a line for each change that was acknowledged.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files by path, and start their own program"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use dsh_fs::types::Mode;
use dsh_fs_state::{ModeSource, NewSession, StateError, Store};

const CHILD: &str = "DSH_STATE_CHILD";
const TURNS: u32 = 200;

/// Does nothing unless this process is a child.
#[test]
fn child() {
    let Some(database) = std::env::var_os(CHILD) else {
        return;
    };
    let label = std::env::var("DSH_STATE_LABEL").expect("a label");
    let most = std::env::var("DSH_STATE_MOST").expect("a number");
    let most: u32 = most.parse().expect("a number");
    work(Path::new(&database), &label, most).expect("every change is made");
}

/// Changes until `most` are made; each line is written after its change was acknowledged.
fn work(database: &Path, label: &str, most: u32) -> Result<(), StateError> {
    let store = Store::open(database)?;
    let registry = store.workspaces()?;
    let folder = database.parent().expect("a folder");
    let cwd = folder.canonicalize().expect("a folder");
    let cwd = cwd.to_str().expect("UTF-8");
    let workspace = registry.create(cwd, None)?;
    for number in 0..most {
        let name = format!("{label}-{number}");
        let (mode, seed) = (Mode::ReadOnly, (1, 2));
        store.start_session(&NewSession {
            name: &name,
            cwd,
            mode,
            seed,
        })?;
        store.append_mode(&name, Mode::WorkspaceWrite, ModeSource::User)?;
        store.save_memory(&name, 0, &[name.clone(), "second".to_owned()], "c")?;
        registry.move_session(&workspace.id, &name, None)?;
        // Straight to the descriptor: a line in a buffer would be lost with the process.
        let line = format!("acknowledged {name}\n");
        std::io::stderr()
            .write_all(line.as_bytes())
            .expect("a pipe");
    }
    Ok(())
}

fn start(database: &Path, label: &str, most: u32) -> Child {
    let program = Command::new(std::env::current_exe().expect("this program"));
    run(program, database, label, most)
}

/// A child that is killed as it enters the n-th call, counted in each of its threads, that
/// changes a file or syncs one.
fn start_until(call: u32, database: &Path, most: u32) -> Child {
    const CALLS: &str = "openat,pwrite64,fdatasync,fsync,ftruncate,unlink,link,unlinkat,linkat";
    let mut program = Command::new("strace");
    program.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
    program.arg(format!("trace={CALLS}"));
    program.arg("-e");
    program.arg(format!("inject={CALLS}:signal=KILL:when={call}"));
    program.arg(std::env::current_exe().expect("this program"));
    run(program, database, "step", most)
}

fn run(mut program: Command, database: &Path, label: &str, most: u32) -> Child {
    program
        .args(["child", "--exact", "--nocapture"])
        .env(CHILD, database)
        .env("DSH_STATE_LABEL", label)
        .env("DSH_STATE_MOST", most.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child")
}

/// What a child acknowledges, as it does.
fn acknowledgements(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let output = child.stderr.take().expect("a pipe");
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    lines.filter_map(|line| line.strip_prefix("acknowledged ").map(str::to_owned))
}

fn check(database: &Path, acknowledged: &[String]) {
    let raw = rusqlite::Connection::open(database).expect("a connection");
    let integrity: String = raw
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("an answer");
    assert_eq!(integrity, "ok");
    let store = Store::open(database).expect("a database");
    for name in acknowledged {
        let session = store.session(name).expect("readable");
        let session = session.unwrap_or_else(|| panic!("{name} was acknowledged and is gone"));
        assert_eq!(
            (session.generation, session.mode()),
            (1, Mode::WorkspaceWrite)
        );
        let pages = store.memory(name).expect("its memory").pages;
        assert_eq!(pages, [name.clone(), "second".to_owned()]);
    }
    whole(&store);
}

/// Every session is in the one workspace exactly once.
fn whole(store: &Store) {
    let workspaces = store.workspaces().expect("a registry").list().expect("all");
    let mut listed: Vec<String> = workspaces
        .into_iter()
        .flat_map(|one| one.sessions)
        .collect();
    let mut all: Vec<String> = store
        .sessions()
        .expect("all")
        .into_iter()
        .map(|one| one.name)
        .collect();
    listed.sort();
    all.sort();
    assert_eq!(listed, all);
}

/// Fails as the test of every step below does; this one is for machines without strace.
#[test]
fn what_was_acknowledged_outlives_a_kill() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let database = folder.path().join("state.db");
    let mut known = Vec::new();
    for turn in 0..TURNS {
        let mut child = start(&database, &format!("turn{turn}"), 1_000_000);
        let mut coming = acknowledgements(&mut child);
        known.extend(coming.by_ref().take(turn as usize % 3));
        // Later each time, in steps that no rhythm of the work can share.
        std::thread::sleep(Duration::from_micros(u64::from(turn) * 397 % 30_000));
        child.kill().expect("killed");
        known.extend(coming);
        child.wait().expect("ended");
        if database.exists() && (turn % 20 == 19 || turn < 10) {
            check(&database, &known);
        }
    }
    assert!(
        known.len() >= TURNS as usize,
        "only {} changes were acknowledged",
        known.len()
    );
    println!(
        "{} changes acknowledged in {TURNS} processes that were killed",
        known.len()
    );
}

/// Fails with each statement a transaction of its own: `COMMIT` at the start of
/// `Store::change`.
#[test]
fn killed_at_every_step_everything_is_whole() {
    let traced = Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .status();
    if !traced.is_ok_and(|status| status.success()) {
        println!("SKIPPED killed_at_every_step_everything_is_whole: strace cannot trace");
        return;
    }
    for call in 1.. {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let database = folder.path().join("state.db");
        let mut child = start_until(call, &database, 2);
        let known: Vec<String> = acknowledgements(&mut child).collect();
        let ended = child.wait().expect("ended").success();
        if database.exists() {
            check(&database, &known);
        }
        if ended {
            assert_eq!(known.len(), 2);
            assert!(call > 40, "only {call} steps were tried");
            println!("killed at each of {call} steps");
            return;
        }
    }
}

/// Fails without the time to wait in `Store::open`, and where a transaction reads before
/// it asks for the right to write.
#[test]
fn four_processes_at_once_make_every_change() {
    const EACH: u32 = 100;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let database = folder.path().join("state.db");
    let labels = ["one", "two", "three", "four"];
    let children: Vec<Child> = labels
        .iter()
        .map(|label| start(&database, label, EACH))
        .collect();
    let mut known = Vec::new();
    for mut child in children {
        known.extend(acknowledgements(&mut child));
        assert!(child.wait().expect("ended").success());
    }
    assert_eq!(known.len(), EACH as usize * labels.len());
    check(&database, &known);
}
