//! The names of a directory, and a `statx` of each.

use std::path::Path;

use rustix::fs::{AtFlags, RawDir, StatxFlags, statx};

use super::open_read;

/// Names with type and size.
pub(crate) fn list(path: &Path) -> Vec<(Vec<u8>, u16, u64)> {
    let directory = open_read(path);
    let mut buffer = Vec::with_capacity(32 * 1024);
    let mut names = RawDir::new(&directory, buffer.spare_capacity_mut());
    let mut entries = Vec::new();
    while let Some(entry) = names.next() {
        let name = entry.expect("it can be listed").file_name().to_owned();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let wanted = StatxFlags::TYPE | StatxFlags::SIZE;
        let facts = statx(&directory, &name, AtFlags::SYMLINK_NOFOLLOW, wanted);
        let facts = facts.expect("nobody else is here");
        entries.push((name.into_bytes(), facts.stx_mode, facts.stx_size));
    }
    entries
}
