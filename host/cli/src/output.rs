//! Lines on standard output: its end is an error, where `println!` would panic. A reader
//! that has gone away is told nothing: the exit code alone says so.

use std::fmt;
use std::io::{self, Write};

use anyhow::Context;

use crate::exit::{Failure, Reason};

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
    let written = output.write_all(bytes).and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure::told(Reason::Failed))
        }
        written => Ok(written.context("standard output")?),
    }
}
