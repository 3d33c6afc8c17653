//! One pass over a large file: newlines counted, UTF-8 checked, hashed.

use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::{SECRET, open_read, resolve};

/// How much is read at a time, in bytes.
const BUFFER: usize = 256 * 1024;

/// How many lines, and the digest.
pub(crate) fn pass(path: &Path) -> (usize, u128) {
    resolve(path);
    let file = open_read(path);
    let mut hasher = Xxh3::with_secret(SECRET);
    let mut buffer = vec![0; BUFFER];
    let (mut lines, mut kept) = (0, 0);
    loop {
        let read = rustix::io::read(&file, &mut buffer[kept..]).expect("it can be read");
        if read == 0 {
            assert_eq!(kept, 0, "the text ends within a character");
            return (lines, hasher.digest128());
        }
        let end = kept + read;
        hasher.update(&buffer[kept..end]);
        lines += memchr::memchr_iter(b'\n', &buffer[kept..end]).count();
        let whole = whole_characters(&buffer[..end]);
        buffer.copy_within(whole..end, 0);
        kept = end - whole;
    }
}

fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.len(),
        Err(error) => {
            assert_eq!(error.error_len(), None, "the file is text");
            error.valid_up_to()
        }
    }
}
