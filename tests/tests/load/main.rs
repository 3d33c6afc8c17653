//! Load: a hundred sessions on eight threads and a thousand files; and two processes on one
//! workspace and one database.
//!
//! Each file carries a counter. A session reads it, and puts the next number in its place
//! by an edit or by a write of the whole file; what it did is entered in an account. In the
//! end every file must hold what the accounts say: an update that was lost is missing there.
//!
//! This is a program of its own so that the memory that it measures is its own. `make test`
//! runs it at a small size. The full one, of 50,000 calls a test:
//!
//! ```text
//! DSH_LOAD_CALLS=50000 cargo test -p dsh-fs-tests --test load -- --nocapture
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod account;
mod actor;
mod chance;
mod ground;
mod mix;
mod processes;
mod readers;
mod watch;

use std::sync::{Mutex, MutexGuard, PoisonError};

use actor::Actor;
use ground::Ground;
use mix::Load;

/// As many as the issue asks for.
const SESSIONS: usize = 100;
const THREADS: usize = 8;

/// The calls of one test where none are asked for.
const FEW_CALLS: u64 = 1_000;

/// The stack of a thread that calls sessions.
const STACK: usize = 16 << 20;

/// How many calls a test makes.
fn calls() -> u64 {
    match std::env::var("DSH_LOAD_CALLS") {
        Ok(calls) => calls.parse().expect("DSH_LOAD_CALLS is a number"),
        Err(_) => FEW_CALLS,
    }
}

/// One test at a time: memory and time are measured.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Updates are missing from the files without the comparison of versions in `WriteJob::see`
/// of `host/fs`. Memory grows where a call leaves 16 KiB behind (at the full size, where it
/// leaves one).
#[test]
fn sessions_of_the_runtime_lose_no_update() {
    let _alone = alone();
    let ground = Ground::new();
    let actors = (0..SESSIONS).map(|number| Actor::session(&ground, number));
    loaded(&ground, actors.collect());
}

/// The same through agents, whose sessions are kept in a database. The watch ends the process
/// where a call never gives its place free: without the assignment in `Turn::drop` of
/// `host/harness`.
#[test]
fn agents_with_a_database_lose_no_update() {
    let _alone = alone();
    let ground = Ground::new();
    let harness = ground.harness();
    let actors = (0..SESSIONS).map(|number| Actor::agent(&harness, &format!("s{number}")));
    loaded(&ground, actors.collect());
}

fn loaded(ground: &Ground, actors: Vec<Actor>) {
    let load = Load::new(actors, calls());
    let watched = load.run();
    load.account.check(&ground.counters());
    load.check_answers();
    println!("{watched}\n{}", load.told());
    watched.check_memory();
}
