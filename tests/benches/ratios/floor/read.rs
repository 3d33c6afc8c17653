//! Resolve, open, read, hash.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::buffer::spare_capacity;
use xxhash_rust::xxh3::xxh3_128_with_secret;

use super::{SECRET, open_read, resolve};

/// The content and its digest.
pub(crate) fn read(path: &Path) -> (Vec<u8>, u128) {
    resolve(path);
    content(&open_read(path))
}

/// Of an open file.
pub(super) fn content(file: &OwnedFd) -> (Vec<u8>, u128) {
    let size = rustix::fs::fstat(file).expect("it is open").st_size;
    let size = usize::try_from(size).expect("a size is not negative");
    let mut content = Vec::with_capacity(size + 1);
    loop {
        let room = content.capacity() - content.len();
        let read = rustix::io::read(file, spare_capacity(&mut content)).expect("it can be read");
        // Less than there was room for, and all that the file said it has: the end.
        if read == 0 || (read < room && content.len() == size) {
            break;
        }
    }
    let digest = xxh3_128_with_secret(&content, &SECRET);
    (content, digest)
}
