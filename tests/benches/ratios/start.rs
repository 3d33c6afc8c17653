//! From the start of a process to its first decision, beside a program that does nothing.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use dsh_fs_runtime::gate::{Gate, Seed};
use dsh_fs_runtime::{EditArgs, Limits};

use crate::child;
use crate::ground::{self, Place};
use crate::pair::{Effort, compare};
use crate::row::{Figure, Goal, Row};

/// The gate alone, and a session with a tool call.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let place = Place::in_memory()?;
    let goal = Goal::most(Figure::Seconds(0.020));
    Ok(vec![
        Row::pair(
            "process start to first decision, gate alone",
            started(child::command("gate", None)?),
            goal,
        ),
        Row::pair(
            "process start to first decision, session and tool call",
            started(child::command("session", Some(place.path()))?),
            goal,
        ),
    ])
}

fn started(mut ours: Command) -> crate::pair::Pair {
    let mut empty = Command::new(env!("CARGO_BIN_EXE_empty"));
    empty.stdout(Stdio::null());
    compare(Effort::batches_of(1), || run(&mut ours), || run(&mut empty))
}

fn run(command: &mut Command) {
    let status = command.status().expect("it was started before");
    assert!(status.success(), "{command:?}: {status}");
}

/// Loads the gate and asks it once.
pub(crate) fn gate_child() -> Result<()> {
    let mut gate = Gate::shipped(Limits::default())?;
    let ledger = gate.ledger(Seed::random(), 0)?;
    gate.write_intent(&ledger, "/never/seen")?;
    Ok(())
}

/// Starts a session and has an edit refused.
pub(crate) fn session_child(root: &Path) -> Result<()> {
    let refused = ground::session(root)?.edit(EditArgs {
        file_path: ground::text(&root.join("never-seen")),
        old_string: "a".to_owned(),
        new_string: "b".to_owned(),
        ..EditArgs::default()
    });
    ensure!(refused.is_err(), "an unseen file was edited");
    Ok(())
}
