//! What the guard costs: each figure beside its floor, both measured in turns in one run.
//!
//! `cargo bench -p dsh-fs-tests --bench ratios [-- [--json] [FILTER]]`. A floor is the same
//! work without policy and without the component, written plainly in `ratios/floor`. Nothing
//! here asserts on time: a goal that is missed is printed as missed.

#![allow(
    clippy::disallowed_methods,
    reason = "floors and places are files by path"
)]

mod boundary;
mod child;
mod files;
mod floor;
mod gate;
mod ground;
mod large;
mod ledger;
mod million;
mod pair;
mod row;
mod sessions;
mod size;
mod start;
mod table;

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

use crate::row::Row;

/// Measures the guard against its floors.
#[derive(Parser)]
struct Arguments {
    /// Measure only the groups whose name contains this: gate, million, boundary, files,
    /// large, start, sessions, size.
    filter: Option<String>,
    /// One object a row instead of a table.
    #[arg(long)]
    json: bool,
    /// What `cargo bench` adds to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
    /// This process is one of those that are measured from outside.
    #[arg(long, hide = true)]
    child: Option<String>,
    /// What the child works on.
    #[arg(long, hide = true)]
    place: Option<PathBuf>,
}

/// A group of rows.
type Group = (&'static str, fn() -> Result<Vec<Row>>);

const GROUPS: [Group; 8] = [
    ("gate", gate::rows),
    ("million", million::rows),
    ("boundary", boundary::rows),
    ("files", files::rows),
    ("large", large::rows),
    ("start", start::rows),
    ("sessions", sessions::rows),
    ("size", size::rows),
];

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(name) = &arguments.child {
        return child::run(name, arguments.place.as_deref());
    }
    let filter = arguments.filter.unwrap_or_default();
    let mut rows = Vec::new();
    for (name, measure) in GROUPS.iter().filter(|(name, _)| name.contains(&filter)) {
        eprintln!("measuring: {name}");
        rows.extend(measure()?);
    }
    let told = match arguments.json {
        true => table::json(&rows),
        false => table::markdown(&rows),
    };
    print!("{told}");
    Ok(())
}
