//! Lines of any length from an untrusted pipe, in bounded memory.

use std::io::{self, BufRead};

/// The longest line that is taken, in bytes: more than any file tool call needs.
pub(crate) const LONGEST: usize = 64 * 1024 * 1024;

/// One line, or what was wrong with it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The text, without its ending.
    Text(String),
    /// More than the limit; the rest of the line has been skipped.
    TooLong,
    /// Not UTF-8.
    NotUtf8,
}

/// Reads the next line; `None` at the end of the input.
pub(crate) fn next(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut skipping = false;
    let mut seen = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(seen.then(|| finish(line, skipping)));
        }
        seen = true;
        let (part, ended) = match chunk.iter().position(|byte| *byte == b'\n') {
            Some(end) => (&chunk[..end], true),
            None => (chunk, false),
        };
        skipping |= line.len() + part.len() > longest;
        if skipping {
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(ended);
        input.consume(used);
        if ended {
            return Ok(Some(finish(line, skipping)));
        }
    }
}

fn finish(line: Vec<u8>, skipped: bool) -> Line {
    if skipped {
        return Line::TooLong;
    }
    String::from_utf8(line).map_or(Line::NotUtf8, Line::Text)
}

#[cfg(test)]
mod tests {
    use super::{Line, next};

    #[test]
    fn a_line_over_the_limit_is_skipped_and_the_next_one_is_read() {
        let mut input = &b"12345\n1234\n\xff\nlast"[..];
        let mut read = || next(&mut input, 4).expect("memory does not fail");
        assert_eq!(read(), Some(Line::TooLong));
        assert_eq!(read(), Some(Line::Text("1234".into())));
        assert_eq!(read(), Some(Line::NotUtf8));
        assert_eq!(read(), Some(Line::Text("last".into())));
        assert_eq!(read(), None);
    }
}
