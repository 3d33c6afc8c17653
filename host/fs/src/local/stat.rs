//! Facts about files, without opening them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FileType, Stat, lstat as stat_itself, readlink, stat as stat_followed};
use rustix::io::Errno;

use super::key;
use super::resolve::Spelling;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::name;
use crate::types::{EntryKind, Info, PathInfo, Target};
use crate::wording::{self, Verb};

/// Facts about a target; `None` where nothing is there.
pub(super) fn stat(target: &Target, cancel: &Cancel) -> Result<Option<Info>, Error> {
    cancel.check(Verb::Stat)?;
    let path = key::path_of(Verb::Stat, target)?;
    let info = present(stat_followed(path.as_slice()), Verb::Stat, &target.display)?.map(|stat| {
        let (kind, size) = facts(&stat);
        Info { kind, size }
    });
    cancel.check(Verb::Stat)?;
    Ok(info)
}

/// When the content of a target was last changed; `None` where that cannot be found out.
pub(super) fn modified(target: &Target) -> Option<SystemTime> {
    let path = key::path_of(Verb::Stat, target).ok()?;
    let stat = stat_followed(path.as_slice()).ok()?;
    let seconds = u64::try_from(stat.st_mtime).ok()?;
    let nanoseconds = u32::try_from(stat.st_mtime_nsec).ok()?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

/// Facts about a path itself: links before the last name are followed, the last is not,
/// with or without a slash after it. A file with a slash after it is absent.
pub(super) fn lstat(path: &str, base: &str, cancel: &Cancel) -> Result<Option<PathInfo>, Error> {
    cancel.check(Verb::Lstat)?;
    let spelling = Spelling::new(Verb::Lstat, path, base)?;
    let (bytes, slash) = without_slash(spelling.bytes());
    let shown = spelling.shown();
    let Some(stat) = present(stat_itself(bytes), Verb::Lstat, &shown)? else {
        return Ok(None);
    };
    cancel.check(Verb::Lstat)?;
    let (kind, size) = facts(&stat);
    if slash && !matches!(kind, EntryKind::Directory | EntryKind::Symlink) {
        return Ok(None);
    }
    let link_target = match kind {
        EntryKind::Symlink => present(readlink(bytes, Vec::new()), Verb::Lstat, &shown)?,
        _ => None,
    };
    Ok(Some(PathInfo {
        kind,
        size,
        link_target: link_target.map(|target| name::to_text(target.as_bytes())),
    }))
}

/// The kind, and the size in bytes of a regular file.
pub(super) fn facts(stat: &Stat) -> (EntryKind, Option<u64>) {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => (EntryKind::File, u64::try_from(stat.st_size).ok()),
        FileType::Directory => (EntryKind::Directory, None),
        FileType::Symlink => (EntryKind::Symlink, None),
        _ => (EntryKind::Other, None),
    }
}

/// A missing name, or a file where a directory is needed, is no failure here.
fn present<T>(asked: Result<T, Errno>, verb: Verb, display: &str) -> Result<Option<T>, Error> {
    match asked {
        Ok(answer) => Ok(Some(answer)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(wording::from_errno(verb, display, errno)),
    }
}

fn without_slash(path: &[u8]) -> (&[u8], bool) {
    let end = path
        .iter()
        .rposition(|byte| *byte != b'/')
        .map_or(1, |last| last + 1);
    (&path[..end], end < path.len())
}
