//! How much of a directory crosses at once.

use dsh_fs::error::{Code, Error};
use dsh_fs::types::{DirEntry, Target};

use crate::wording;

/// About what an entry takes besides its texts, in bytes.
const ENTRY: usize = 64;

/// A directory whose entries would burst the component's memory is refused: its session
/// would end instead.
pub(super) fn check_size(
    directory: &Target,
    entries: &[DirEntry],
    most: usize,
) -> Result<(), Error> {
    if entries.iter().map(size).sum::<usize>() <= most {
        return Ok(());
    }
    Err(Error {
        code: Code::TooLarge,
        message: wording::too_many_entries(&directory.display, entries.len()),
        path: Some(directory.display.clone()),
        detail: None,
    })
}

fn size(entry: &DirEntry) -> usize {
    let trouble = entry.trouble.as_ref().map_or(0, String::len);
    ENTRY + entry.name.len() + entry.target.key.len() + entry.target.display.len() + trouble
}
