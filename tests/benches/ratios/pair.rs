//! Two ways of doing one thing, measured in turns.

use std::time::{Duration, Instant};

use crate::row::median;

/// The fewest pairs of batches that make a figure.
const FEWEST: usize = 15;

/// How long two ways are compared, and how many calls are one batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Calls of a batch: enough that reading the clock does not show.
    pub(crate) batch: u32,
    /// The time that all batches of both together may take.
    pub(crate) time: Duration,
}

/// Seconds of one call, each a median over batches; and the median of the ratios of
/// neighbouring batches, from which most of what else the machine did falls out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// With the guard.
    pub(crate) ours: f64,
    /// Without.
    pub(crate) floor: f64,
    /// One to the other.
    pub(crate) ratio: f64,
}

impl Effort {
    /// Two seconds in batches of so many calls.
    pub(crate) const fn batches_of(batch: u32) -> Self {
        Self {
            batch,
            time: Duration::from_secs(2),
        }
    }
}

impl Pair {
    /// The times of one of so many that a call does at once.
    pub(crate) fn over(self, many: u32) -> Self {
        Self {
            ours: self.ours / f64::from(many),
            floor: self.floor / f64::from(many),
            ratio: self.ratio,
        }
    }
}

/// Runs the two in turns; who goes first changes from pair to pair.
pub(crate) fn compare(effort: Effort, mut ours: impl FnMut(), mut floor: impl FnMut()) -> Pair {
    let one = |call: &mut dyn FnMut()| seconds(effort.batch, call);
    one(&mut ours);
    one(&mut floor);
    let begin = Instant::now();
    let mut pairs = Vec::new();
    while pairs.len() < FEWEST || begin.elapsed() < effort.time {
        let pair = if pairs.len() % 2 == 0 {
            let first = one(&mut ours);
            (first, one(&mut floor))
        } else {
            let first = one(&mut floor);
            (one(&mut ours), first)
        };
        pairs.push(pair);
    }
    Pair {
        ours: median(pairs.iter().map(|pair| pair.0).collect()),
        floor: median(pairs.iter().map(|pair| pair.1).collect()),
        ratio: median(pairs.iter().map(|pair| pair.0 / pair.1).collect()),
    }
}

fn seconds(batch: u32, call: &mut dyn FnMut()) -> f64 {
    let begin = Instant::now();
    for _ in 0..batch {
        call();
    }
    begin.elapsed().as_secs_f64() / f64::from(batch)
}
