//! The direct children of a directory.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, OFlags, RawDir, stat, statat};
use rustix::io::Errno;

use super::{key, open, resolve, stat as facts};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::name;
use crate::types::{DirEntry, EntryKind, Target};
use crate::wording::{self, Verb};

/// Room for the names that one system call answers, in bytes.
const BUFFER: usize = 32 * 1024;

/// The children in the order of the bytes of their names; no content is read. A child
/// that cannot be examined is listed with its trouble, one that is gone by then is not.
pub(super) fn list_dir(target: &Target, cancel: &Cancel) -> Result<Vec<DirEntry>, Error> {
    cancel.check(Verb::List)?;
    let directory = open_directory(target, cancel)?;
    let mut names = names(&directory, target, cancel)?;
    names.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    let mut entries = Vec::with_capacity(names.len());
    cancel.expect(names.len() as u64);
    for (name, kind) in names {
        cancel.check(Verb::List)?;
        entries.extend(entry(&directory, target, &name, kind, cancel));
        cancel.advance(1);
    }
    cancel.check(Verb::List)?;
    Ok(entries)
}

fn open_directory(target: &Target, cancel: &Cancel) -> Result<OwnedFd, Error> {
    let path = key::path_of(Verb::List, target)?;
    match open::open_patiently(&path, OFlags::DIRECTORY, Verb::List, cancel)? {
        Ok(directory) => Ok(directory),
        // The same error stands for a file in the middle of the path.
        Err(Errno::NOTDIR) if stat(path.as_slice()).is_ok() => {
            Err(wording::not_directory(&target.display))
        }
        Err(Errno::LOOP) => Err(wording::leads_elsewhere(Verb::List, &target.display)),
        Err(errno) => Err(wording::from_errno(Verb::List, &target.display, errno)),
    }
}

fn names(
    directory: &OwnedFd,
    target: &Target,
    cancel: &Cancel,
) -> Result<Vec<(Vec<u8>, FileType)>, Error> {
    let mut buffer = Vec::with_capacity(BUFFER);
    let mut read = RawDir::new(directory, buffer.spare_capacity_mut());
    let mut names = Vec::new();
    while let Some(child) = read.next() {
        cancel.check(Verb::List)?;
        let child =
            child.map_err(|errno| wording::from_errno(Verb::List, &target.display, errno))?;
        let name = child.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push((name.to_vec(), child.file_type()));
        }
    }
    Ok(names)
}

/// The child, or nothing if it is gone.
fn entry(
    directory: &OwnedFd,
    parent: &Target,
    name: &[u8],
    hint: FileType,
    cancel: &Cancel,
) -> Option<DirEntry> {
    let text = name::to_text(name);
    let mut entry = DirEntry {
        kind: EntryKind::Directory,
        is_link: false,
        size: None,
        target: Target {
            key: key::joined(&parent.key, &text),
            display: key::joined(&parent.display, &text),
        },
        trouble: None,
        name: text,
    };
    if hint == FileType::Directory {
        return Some(entry);
    }
    match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => (entry.kind, entry.size) = facts::facts(&stat),
        Err(Errno::NOENT) => return None,
        Err(errno) => fail(&mut entry, &wording::trouble(errno)),
    }
    if entry.kind == EntryKind::Symlink {
        follow(&mut entry, cancel);
    }
    Some(entry)
}

/// A link is listed in its own place, with the kind and the key of what it leads to.
fn follow(entry: &mut DirEntry, cancel: &Cancel) {
    entry.is_link = true;
    let target = match resolve::resolve(&entry.target.key, "/", cancel) {
        Ok(target) => target,
        Err(error) => return fail(entry, &error.message),
    };
    match stat(name::to_bytes(&target.key)) {
        Ok(stat) => (entry.kind, entry.size) = facts::facts(&stat),
        Err(Errno::NOENT) => fail(entry, wording::DANGLING),
        Err(errno) => fail(entry, &wording::trouble(errno)),
    }
    entry.target.key = target.key;
}

fn fail(entry: &mut DirEntry, trouble: &str) {
    entry.kind = EntryKind::Other;
    entry.trouble = Some(trouble.to_owned());
}
