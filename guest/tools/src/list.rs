//! `list`: the direct children of a directory. A listing counts as having seen nothing.

use crate::arguments;
use crate::bindings::dsh::fs::types::{DirEntry, Target};
use crate::bindings::exports::dsh::fs::tools::{Failure, ListAnswer, ListArgs};
use crate::envelope;
use crate::failure::{self, WayOut};
use crate::session::Session;

/// The most entries of one answer, and the number when none is given.
const MOST_ENTRIES: u32 = 1000;

/// Lists a directory; the session's own where none is given.
pub(crate) fn list(session: &Session, args: &ListArgs) -> Result<ListAnswer, Failure> {
    let path = arguments::path(args.file_path.as_deref().unwrap_or("."))?;
    let first = arguments::position("offset", args.offset)?;
    let limit = arguments::limit(args.limit, MOST_ENTRIES)?;
    let mode = session.current_policy().mode;
    let failed = |error| failure::file(error, mode, WayOut::None);
    let files = session.files().map_err(failed)?;
    let target = files.resolve(path).map_err(failed)?;
    let entries = files.files().list_dir(&target).map_err(failed)?;
    let total = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    if first > total.max(1) {
        let offset = args.offset.unwrap_or(1).unsigned_abs();
        return Err(failed(envelope::out_of_range(
            &target.display_path,
            offset,
            total,
            "entries",
        )));
    }
    Ok(answer(target, entries, first, limit, total))
}

/// The answer for a window of the entries.
fn answer(
    target: Target,
    entries: Vec<DirEntry>,
    first: u32,
    limit: u32,
    total: u32,
) -> ListAnswer {
    let skip = usize::try_from(first - 1).unwrap_or(usize::MAX);
    let take = usize::try_from(limit).unwrap_or(usize::MAX);
    let entries: Vec<DirEntry> = entries.into_iter().skip(skip).take(take).collect();
    ListAnswer {
        text: envelope::entries(&target.display_path, &entries, first, total),
        target,
        entries,
        first_entry: first,
        total_entries: total,
    }
}
