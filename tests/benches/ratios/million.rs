//! A ledger with a million targets, beside one with a thousand.

use std::time::Instant;

use anyhow::Result;
use dsh_fs_runtime::gate::Prior;

use crate::child;
use crate::ledger::{Embedded, Key, Looped, Rounds, VERSION};
use crate::pair::{Effort, Pair, compare};
use crate::row::{Figure, Goal, Row};

const FEW: u64 = 1_000;
const MANY: u64 = 1_000_000;

/// Rounds of one batch.
const BATCH: u32 = 2_000;

/// A step that visits every target and no two neighbours in turn.
const LEAP: u64 = 611_953;

/// How often a ledger is filled to find its longest call: what the machine did meanwhile
/// is not in the same place each time, what the ledger does is.
const FILLS: usize = 3;

/// Hot targets, random ones, memory, and the longest single call.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let mut few = filled(FEW)?;
    let mut many = filled(MANY)?;
    let hot = beside_few(&mut many, &mut few, (7, FEW, MANY / FEW));
    let random = beside_few(&mut many, &mut few, (LEAP, MANY, 1));
    let memory = child::number("targets", None)?;
    Ok(vec![
        Row::pair(
            "1,000 hot targets of 1,000,000; floor: 1,000 of 1,000",
            hot,
            Goal::times(1.2),
        ),
        Row::pair(
            "random targets of 1,000,000; floor: 1,000 of 1,000",
            random,
            Goal::times(2.0),
        ),
        Row::alone(
            "memory of each of 1,000,000 targets",
            Figure::Bytes(memory),
            Goal::most(Figure::Bytes(96.0)),
        ),
        Row::alone(
            "longest single call of 1,000,000 observations",
            Figure::Seconds(longest()?),
            Goal::most(Figure::Seconds(1e-3)),
        ),
    ])
}

/// A ledger that has seen so many targets, in several calls, since one is bounded in time.
fn filled(targets: u64) -> Result<Looped> {
    let mut looped = Looped::new()?;
    let times = targets.min(50_000);
    for from in (0..targets).step_by(50_000) {
        looped.run(Rounds {
            times,
            from,
            stride: 1,
            targets,
            spread: 1,
        });
    }
    Ok(looped)
}

/// Stride, targets and spread of the large one; the small one goes through all it has.
fn beside_few(many: &mut Looped, few: &mut Looped, walk: (u64, u64, u64)) -> Pair {
    let (mut at, mut beside) = (0, 0);
    let rounds = |from: &mut u64, (stride, targets, spread): (u64, u64, u64)| {
        *from = (*from + u64::from(BATCH) * stride) % targets;
        Rounds {
            times: u64::from(BATCH),
            from: *from,
            stride,
            targets,
            spread,
        }
    };
    compare(
        Effort::batches_of(1),
        || many.run(rounds(&mut at, walk)),
        || few.run(rounds(&mut beside, (7, FEW, 1))),
    )
    .over(BATCH)
}

/// The longest call while a ledger grows: of each call the shortest of several fills.
fn longest() -> Result<f64> {
    let mut shortest = fill_timed()?;
    for _ in 1..FILLS {
        for (shortest, again) in shortest.iter_mut().zip(fill_timed()?) {
            *shortest = shortest.min(again);
        }
    }
    Ok(shortest.into_iter().fold(0.0, f64::max))
}

fn fill_timed() -> Result<Vec<f64>> {
    let mut embedded = Embedded::new()?;
    let (mut key, seen) = (Key::new(), Prior::Present(VERSION.to_owned()));
    let timed = (0..MANY).map(|number| {
        let key = key.of(number);
        let begin = Instant::now();
        embedded.observe(key, &seen);
        begin.elapsed().as_secs_f64()
    });
    Ok(timed.collect())
}

/// Prints by how much each target makes the process grow.
pub(crate) fn child() -> Result<()> {
    let mut embedded = Embedded::new()?;
    let (mut key, seen) = (Key::new(), Prior::Present(VERSION.to_owned()));
    embedded.observe(key.of(MANY), &seen);
    let before = child::memory("VmRSS")?;
    for number in 0..MANY {
        embedded.observe(key.of(number), &seen);
    }
    let growth = child::memory("VmRSS")? - before;
    println!("{}", growth / MANY as f64);
    Ok(())
}
