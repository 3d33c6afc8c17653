//! From the deny-read rules of the fence to what a shell backend can hide: the places that
//! exist now. Rules that could match later are handed over too, and make it partial.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use dsh_fs::roots::{DenyRead, Roots};
use dsh_fs_confine::Hidden;

/// The most entries that are looked at for one command. A rule that would need more is
/// handed over as one that could match later.
const MOST_ENTRIES: usize = 200_000;

/// What a command under these roots must not read.
#[must_use]
pub fn hidden(roots: &Roots) -> Hidden {
    let mut hidden = Hidden::default();
    let mut left = MOST_ENTRIES;
    for rule in roots.deny_read() {
        let place = PathBuf::from(OsString::from_vec(rule.place().to_vec()));
        if rule.is_whole() && exists(&place) {
            hidden.paths.push(place);
            continue;
        }
        if !rule.is_whole() {
            matches_beneath(rule, place, &mut left, &mut hidden.paths);
        }
        let pattern = rule.pattern().to_owned();
        if !hidden.later.contains(&pattern) {
            hidden.later.push(pattern);
        }
    }
    hidden.paths.sort();
    hidden.paths.dedup();
    hidden
}

/// Collects what a rule covers now. Links are not followed: where they lead the rule covers
/// canonical paths alone. What cannot be listed here, the command cannot list either.
fn matches_beneath(rule: &DenyRead, place: PathBuf, left: &mut usize, found: &mut Vec<PathBuf>) {
    let mut folders = vec![place];
    while let Some(folder) = folders.pop() {
        for (path, is_folder) in children(&folder) {
            if *left == 0 {
                return;
            }
            *left -= 1;
            if rule.covers(path.as_os_str().as_bytes()) {
                found.push(path);
            } else if is_folder {
                folders.push(path);
            }
        }
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the deployment has named the places, and only names are looked at"
)]
fn children(folder: &Path) -> Vec<(PathBuf, bool)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.flatten();
    let kind = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    entries.map(|entry| (entry.path(), kind(&entry))).collect()
}

#[allow(
    clippy::disallowed_methods,
    reason = "the deployment has named the place, and only its being there is looked at"
)]
fn exists(place: &Path) -> bool {
    std::fs::symlink_metadata(place).is_ok()
}
