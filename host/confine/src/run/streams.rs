//! Which of the streams of this process a command is handed as they are.
//!
//! Bubblewrap gives a command another view of the disk. A descriptor that was opened
//! outside of it leads past that view: `/proc/self/fd/0` is opened for writing where the
//! file may be written outside, and from a directory every other one is reached. What
//! Landlock keeps, it keeps of those too.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::process::{ChildStdin, Command, Stdio};
use std::thread;

use rustix::fs::{FileType, fstat};

use crate::options::Used;

/// What a command gets in place of a stream.
pub(super) struct Streams {
    input_is_fed: bool,
    output_is_none: bool,
    errors: Errors,
}

enum Errors {
    AsTheyAre,
    Seen,
    Nowhere,
}

impl Streams {
    /// What a command of this backend gets.
    pub(super) fn of(backend: Used) -> io::Result<Self> {
        let by_mounts = matches!(backend, Used::Bubblewrap | Used::Custom);
        let errors = if by_mounts && kind(io::stderr())? == FileType::Directory {
            Errors::Nowhere
        } else if backend == Used::Nothing || io::stderr().is_terminal() {
            // A terminal is left to the command itself, and so is everything without a policy.
            Errors::AsTheyAre
        } else {
            Errors::Seen
        };
        Ok(Self {
            input_is_fed: by_mounts && !is_without_a_place(io::stdin())?,
            output_is_none: by_mounts && kind(io::stdout())? == FileType::Directory,
            errors,
        })
    }

    /// Has the command start with them.
    pub(super) fn hand_over(&self, command: &mut Command) {
        if self.input_is_fed {
            command.stdin(Stdio::piped());
        }
        if self.output_is_none {
            command.stdout(Stdio::null());
        }
        match self.errors {
            Errors::AsTheyAre => {}
            Errors::Seen => drop(command.stderr(Stdio::piped())),
            Errors::Nowhere => drop(command.stderr(Stdio::null())),
        }
    }
}

fn kind(stream: impl AsFd) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(stream)?.st_mode))
}

/// Whether nothing that a policy is about can be reached from it.
fn is_without_a_place(stream: impl AsFd + IsTerminal) -> io::Result<bool> {
    let kind = kind(&stream)?;
    Ok(matches!(kind, FileType::Fifo | FileType::Socket) || stream.is_terminal())
}

/// Copies standard input until it ends, or nobody reads it any more.
pub(super) fn feed(mut pipe: ChildStdin) -> io::Result<()> {
    let copy = move || {
        // What cannot be read has ended, and a command need not read all of it.
        let _ = io::copy(&mut io::stdin(), &mut pipe);
    };
    thread::Builder::new().spawn(copy).map(drop)
}
