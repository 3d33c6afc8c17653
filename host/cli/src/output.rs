//! Lines on standard output: its end is an error, where `println!` would panic.

use std::fmt;
use std::io::{self, Write};

use anyhow::Context;

use crate::exit::Failure;

/// Prints one line; the arguments are those of `println!`.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Prints one line.
pub(crate) fn line(text: fmt::Arguments<'_>) -> Result<(), Failure> {
    bytes(format!("{text}\n").as_bytes())
}

/// Prints bytes as they are.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    output
        .write_all(bytes)
        .and_then(|()| output.flush())
        .context("standard output")?;
    Ok(())
}
