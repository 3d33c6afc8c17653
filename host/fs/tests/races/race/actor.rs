//! What a second process does. It is this program, run again with a part to play.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::user::User;
use super::{Bound, grades, guarded, killed, lost, outsider, removal, swapper};

/// Where the part is handed over.
pub(crate) const PART: &str = "DSH_FS_RACES_PART";

/// What a report line begins with, among the lines of the test harness.
pub(crate) const REPORT: &str = "REPORT ";

/// What is printed when the part begins.
pub(crate) const READY: &str = "READY";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Part {
    /// Swaps names until it is stopped.
    Swap(swapper::Swap),
    /// Writes to a file, without a guard, until it is stopped.
    Outsider(outsider::Outsider),
    /// Reads a file again and again, keeping descriptors open, until it is stopped.
    Reader(PathBuf),
    /// Guarded mutations beneath directories that are being swapped.
    Guarded(guarded::Guarded),
    /// Read-edit and read-write cycles of one file.
    Cycles(lost::Cycles),
    /// Raises a number in one file.
    Raise(lost::Raise),
    /// Makes a file and writes to it, without a guard, until it is stopped.
    Maker(removal::Maker),
    /// Removes that file again and again.
    Remover(removal::Remover),
    /// Creates and removes files until it is killed.
    Worker(killed::Worker),
    /// One mutation of each kind, for its grade.
    Grades(grades::Grades),
}

/// A part, who plays it, and for how long at most.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Role {
    pub(crate) part: Part,
    pub(crate) user: User,
    pub(crate) bound: Bound,
}

/// Plays the part that was handed over, if one was; then nothing else is to be done.
pub(crate) fn play() -> bool {
    let Ok(role) = std::env::var(PART) else {
        return false;
    };
    let role: Role = serde_json::from_str(&role).expect("the director wrote it");
    let stop = stop_at_end_of_input();
    let report = match &role.part {
        Part::Grades(grades) => grades.play(&role.user),
        other => {
            role.user.become_it();
            if !matches!(other, Part::Guarded(_)) {
                println!("\n{READY}");
            }
            acted(other, role.bound, &stop)
        }
    };
    println!("\n{REPORT}{report}");
    true
}

fn acted(part: &Part, bound: Bound, stop: &AtomicBool) -> Value {
    match part {
        Part::Swap(swap) => swap.play(stop),
        Part::Outsider(outsider) => outsider.play(stop),
        Part::Reader(path) => outsider::read_on(path, stop),
        Part::Guarded(guarded) => guarded.play(bound),
        Part::Cycles(cycles) => cycles.play(bound),
        Part::Raise(raise) => raise.play(bound),
        Part::Maker(maker) => maker.play(stop),
        Part::Remover(remover) => remover.play(bound),
        Part::Worker(worker) => worker.play(bound),
        Part::Grades(_) => unreachable!("played before it becomes another user"),
    }
}

/// The director stops a process by closing its input, which also happens if it dies.
fn stop_at_end_of_input() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        told.store(true, Ordering::Relaxed);
    });
    stop
}
