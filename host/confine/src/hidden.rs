#![allow(
    clippy::disallowed_methods,
    reason = "names of directories are read to find what a deployment hides, and no content"
)]
//! What a command must not read.

use std::ffi::OsStr;
use std::fs::read_dir;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use dsh_fs::roots::Roots;

use crate::place;

/// How many names are looked at for one command.
const NAMES: usize = 100_000;

/// Places that hold no files of anybody.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Files and directories that are hidden from a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Canonical paths that exist now and are hidden, with everything beneath them.
    pub paths: Vec<PathBuf>,
    /// The rules that could match files which are made, moved or linked later, as a person
    /// wrote them. No backend sees those: each one makes the enforcement partial.
    pub later: Vec<String>,
}

/// One deny-read rule.
#[derive(Clone, Copy, Debug)]
pub struct HideRule<'a> {
    /// The absolute path that everything it covers is at or beneath.
    pub place: &'a Path,
    /// Whether the place itself is covered, whatever is in it.
    pub whole: bool,
    /// As a person wrote it.
    pub pattern: &'a str,
}

impl Hidden {
    /// Whether nothing is hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.later.is_empty()
    }

    /// Finds what exists now and is covered. Links are not followed: what they lead to is
    /// found where it is. A rule with a pattern can match later, too, and so can one whose
    /// place does not exist; where there are very many names not all of them are looked
    /// at. Each such rule is told in [`Self::later`].
    #[must_use]
    pub fn find<'a>(
        rules: impl IntoIterator<Item = HideRule<'a>>,
        covers: impl Fn(&Path) -> bool,
    ) -> Self {
        let mut hidden = Self::default();
        let mut names = NAMES;
        for rule in rules {
            match place::canonical(rule.place) {
                Some(real) if rule.whole => hidden.paths.push(real),
                Some(real) => {
                    hidden.walk(&real, &covers, &mut names);
                    hidden.later.push(rule.pattern.to_owned());
                }
                None => hidden.later.push(rule.pattern.to_owned()),
            }
        }
        hidden.paths.sort();
        hidden.paths.dedup();
        hidden.later.sort();
        hidden.later.dedup();
        hidden
    }

    /// What the deny-read rules of the deployment hide.
    #[must_use]
    pub fn of(roots: &Roots) -> Self {
        let rules = roots.deny_read().iter();
        let rules: Vec<_> = rules.filter(|rule| !rule.is_own()).collect();
        let places = rules.iter().map(|rule| HideRule {
            place: Path::new(OsStr::from_bytes(rule.place())),
            whole: rule.is_whole(),
            pattern: rule.pattern(),
        });
        Self::find(places, |path| {
            roots.deny_read_matches(path.as_os_str().as_bytes())
        })
    }

    /// Both.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.paths.extend(other.paths);
        self.later.extend(other.later);
        self
    }

    fn walk(&mut self, place: &Path, covers: &impl Fn(&Path) -> bool, names: &mut usize) {
        let mut folders = vec![place.to_owned()];
        while let Some(folder) = folders.pop() {
            // What cannot be listed is nobody's to read by this user either.
            for entry in read_dir(&folder).into_iter().flatten().flatten() {
                let Some(left) = names.checked_sub(1) else {
                    return;
                };
                *names = left;
                let path = entry.path();
                if covers(&path) {
                    self.paths.push(path);
                } else if entry.file_type().is_ok_and(|kind| kind.is_dir())
                    && !KERNEL.iter().any(|kernel| path == Path::new(kernel))
                {
                    folders.push(path);
                }
            }
        }
    }
}
