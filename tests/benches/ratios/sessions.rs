//! A new session: its time, and the memory of many.

use std::path::Path;

use anyhow::Result;

use crate::child;
use crate::ground::{self, Place};
use crate::pair::{Effort, compare};
use crate::row::{Figure, Goal, Row};

/// How many sessions are held at once.
const MANY: u32 = 1_000;

/// Time of one, memory of each of many.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let place = Place::in_memory()?;
    let runtime = ground::runtime()?;
    let options = ground::local(place.path())?;
    // Starting has no floor: it is compared with itself, and the ratio left out.
    let start = || {
        let session = runtime.session(options.clone());
        drop(session.expect("the folder is there"));
    };
    let time = compare(Effort::batches_of(20), start, start).ours;
    let memory = child::number("sessions", Some(place.path()))?;
    Ok(vec![
        Row::alone(
            "a new session, started and ended",
            Figure::Seconds(time),
            Goal::most(Figure::Seconds(60e-6)),
        ),
        Row::alone(
            "memory of each of 1,000 sessions",
            Figure::Bytes(memory),
            Goal::most(Figure::Bytes(128.0 * 1024.0)),
        ),
    ])
}

/// Prints by how much one session more makes the process grow.
pub(crate) fn child(root: &Path) -> Result<()> {
    let runtime = ground::runtime()?;
    let options = ground::local(root)?;
    let first = runtime.session(options.clone())?;
    let before = child::memory("VmRSS")?;
    let many: Result<Vec<_>, _> = (0..MANY)
        .map(|_| runtime.session(options.clone()))
        .collect();
    let growth = child::memory("VmRSS")? - before;
    println!("{}", growth / f64::from(MANY));
    drop((first, many?));
    Ok(())
}
