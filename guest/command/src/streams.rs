//! Standard input and output.

use wasip2::cli::{stderr, stdin, stdout};
use wasip2::io::streams::{OutputStream, StreamError};

/// The most bytes of one call or content: more is refused.
const MOST: usize = 64 << 20;

/// The most bytes that a stream takes at once.
const PIECE: usize = 4096;

/// Everything on standard input.
pub(crate) fn all() -> Result<Vec<u8>, String> {
    let input = stdin::get_stdin();
    let mut all = Vec::new();
    loop {
        match input.blocking_read(64 << 10) {
            Ok(piece) => all.extend_from_slice(&piece),
            Err(StreamError::Closed) => return Ok(all),
            Err(StreamError::LastOperationFailed(error)) => {
                return Err(format!("standard input: {}", error.to_debug_string()));
            }
        }
        if all.len() > MOST {
            return Err(format!("standard input is longer than {MOST} bytes"));
        }
    }
}

/// Writes a text to standard output.
pub(crate) fn say(text: &str) -> Result<(), String> {
    write(&stdout::get_stdout(), text).map_err(|_| "standard output is closed".to_owned())
}

/// Writes one sentence to standard error. Where that is closed, nobody can be told.
pub(crate) fn complain(why: &str) {
    let _ = write(&stderr::get_stderr(), &format!("dsh-fs: {why}\n"));
}

fn write(stream: &OutputStream, text: &str) -> Result<(), StreamError> {
    for piece in text.as_bytes().chunks(PIECE) {
        stream.blocking_write_and_flush(piece)?;
    }
    Ok(())
}

/// Lines of standard input, one after the other.
pub(crate) struct Lines {
    input: wasip2::io::streams::InputStream,
    held: Vec<u8>,
    ended: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self {
            input: stdin::get_stdin(),
            held: Vec::new(),
            ended: false,
        }
    }

    /// The next line without its end; nothing at the end of the input.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, String> {
        let mut searched = 0;
        loop {
            let newline = self.held[searched..].iter().position(|byte| *byte == b'\n');
            if let Some(at) = newline {
                let rest = self.held.split_off(searched + at + 1);
                let mut line = std::mem::replace(&mut self.held, rest);
                line.pop();
                return Ok(Some(line));
            }
            if self.ended {
                let last = std::mem::take(&mut self.held);
                return Ok(Some(last).filter(|last| !last.is_empty()));
            }
            searched = self.held.len();
            if searched > MOST {
                return Err(format!("a call is at most {MOST} bytes long"));
            }
            match self.input.blocking_read(64 << 10) {
                Ok(piece) => self.held.extend_from_slice(&piece),
                Err(_) => self.ended = true,
            }
        }
    }
}
