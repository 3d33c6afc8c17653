//! One intent and one observation of a 60-byte key: natively, from an embedder, and as a
//! component that is composed with its gate pays for it.

use anyhow::Result;
use dsh_fs_runtime::gate::Prior;

use crate::ledger::{Embedded, Looped, Native, Rounds, VERSION};
use crate::pair::{Effort, compare};
use crate::row::{Figure, Goal, Row};

/// Rounds of one batch.
const BATCH: u32 = 1_000;

/// The two ways in, each beside the native ledger.
pub(crate) fn rows() -> Result<Vec<Row>> {
    Ok(vec![embedder()?, toolbox()?])
}

fn embedder() -> Result<Row> {
    let mut native = Native::new();
    let mut embedded = Embedded::new()?;
    let seen = Prior::Present(VERSION.to_owned());
    let pair = compare(
        Effort::batches_of(BATCH),
        || embedded.intent_and_observation(Native::ONE, &seen),
        || native.intent_and_observation(Native::ONE),
    );
    Ok(Row::pair(
        "intent + observation, from an embedder; floor: native",
        pair,
        Goal::both(Figure::Seconds(1.2e-6), 12.0),
    ))
}

fn toolbox() -> Result<Row> {
    let mut native = Native::new();
    let mut looped = Looped::new()?;
    let rounds = Rounds {
        times: u64::from(BATCH),
        from: 0,
        stride: 1,
        targets: 1,
        spread: 1,
    };
    let pair = compare(
        Effort::batches_of(1),
        || looped.run(rounds),
        || native.run(rounds),
    );
    Ok(Row::pair(
        "intent + observation, as the toolbox sees it; floor: native",
        pair.over(BATCH),
        Goal::both(Figure::Seconds(0.6e-6), 6.0),
    ))
}
