//! Writes the components into a folder, for other runtimes: `components DIR [GUESTS]`.
//!
//! Beside those that ship it writes toolboxes over the gates for tests. GUESTS is a folder
//! with components that another tool made of the guests, to be taken for those that ship.

#![allow(
    clippy::disallowed_methods,
    reason = "the program writes into the folder that its user names"
)]

use std::path::PathBuf;

use anyhow::{Context, Result};
use dsh_fs_artifacts::compose;
use dsh_fs_tests::components::gate;
use dsh_fs_tests::shipped::{Shipped, write};

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().context("usage: components DIR [GUESTS]")?;
    let shipped = match arguments.next() {
        Some(guests) => Shipped::of_guests(&guests)?,
        None => Shipped::default(),
    };
    for (name, bytes) in shipped.named() {
        write(&folder, name, bytes)?;
    }
    for name in ["open-gate", "chain-gate"] {
        let over = compose(&shipped.toolbox, &gate(name)?)?;
        write(&folder, name, &over)?;
    }
    Ok(())
}
