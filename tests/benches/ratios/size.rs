//! The sizes of the components as they ship.

use anyhow::Result;
use dsh_fs_artifacts as artifacts;

use crate::row::{Figure, Goal, Row};

/// Two goals, and the ahead-of-time code for orientation.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let size = |bytes: &[u8]| Figure::Bytes(bytes.len() as f64);
    let kibibytes = |count: u32| Goal::most(Figure::Bytes(f64::from(count) * 1024.0));
    Ok(vec![
        Row::alone("size of the gate", size(artifacts::GATE), kibibytes(32)),
        Row::alone(
            "size of toolbox with gate",
            size(artifacts::COMPOSED),
            kibibytes(128),
        ),
        Row::alone(
            "its code, compiled ahead of time",
            size(artifacts::COMPOSED_AOT),
            Goal::default(),
        ),
    ])
}
