//! The slow truth: a path walked one name at a time, as the kernel walks it.

use std::mem::MaybeUninit;

use rustix::fs::{CWD, FileType, PROC_SUPER_MAGIC, readlinkat_raw, stat, statfs};
use rustix::io::Errno;

use super::LONGEST_NAME;
use super::spelling::{Spelling, parent_length, parts, push, rooted, wants_directory};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::wording::{self, Verb};

/// The longest text of a link, in bytes, with room to spare: the kernel stores 4,095.
const LONGEST_TARGET: usize = 4096;

/// How many links the kernel follows for one path.
const MOST_LINKS: u32 = 40;

/// The inode of the top of a proc file system.
const PROC_ROOT: u64 = 1;

/// The canonical path of a spelling.
pub(super) fn walk(spelling: &Spelling, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let mut walk = Walk {
        shown: spelling.shown(),
        reached: Vec::with_capacity(spelling.bytes().len()),
        pending: spelling.parts().rev().map(<[u8]>::to_vec).collect(),
        wants_directory: spelling.wants_directory(),
        links: 0,
        missing: false,
        opaque: None,
    };
    while let Some(part) = walk.pending.pop() {
        cancel.check(Verb::Resolve)?;
        walk.step(&part)?;
    }
    walk.finish()
}

struct Walk {
    shown: String,
    /// The canonical path so far, without a trailing slash; empty at `/`.
    reached: Vec<u8>,
    /// The names still to be walked, the next one last.
    pending: Vec<Vec<u8>>,
    wants_directory: bool,
    links: u32,
    /// Whether what was reached does not exist.
    missing: bool,
    /// The length of what was reached when a magic link was the last name of it.
    opaque: Option<usize>,
}

impl Walk {
    fn step(&mut self, part: &[u8]) -> Result<(), Error> {
        if part == b".." {
            return self.step_up();
        }
        let parent = self.reached.len();
        push(&mut self.reached, part);
        if self.missing {
            return self.step_into_nothing(part);
        }
        let mut buffer = [MaybeUninit::uninit(); LONGEST_TARGET];
        match readlinkat_raw(CWD, self.reached.as_slice(), &mut buffer) {
            Ok(_) if self.is_magic(parent)? => self.stop_at_magic_link(),
            Ok((target, _)) => self.follow(parent, target),
            Err(Errno::INVAL) => Ok(()),
            Err(Errno::NOENT) => self.step_into_nothing(part),
            Err(Errno::NOTDIR) => Err(wording::parent_not_directory(Verb::Resolve, &self.shown)),
            Err(errno) => Err(self.failed(errno)),
        }
    }

    /// Where the kernel steps up it asks for a directory first, so `file/..` is refused.
    fn step_up(&mut self) -> Result<(), Error> {
        if self.missing {
            return Err(wording::parent_of_missing(Verb::Resolve, &self.shown));
        }
        if self.opaque == Some(self.reached.len()) {
            return Err(wording::parent_of_magic_link(Verb::Resolve, &self.shown));
        }
        if !self.is_directory()? {
            return Err(wording::parent_not_directory(Verb::Resolve, &self.shown));
        }
        self.reached.truncate(parent_length(&self.reached));
        Ok(())
    }

    fn step_into_nothing(&mut self, part: &[u8]) -> Result<(), Error> {
        self.missing = true;
        if part.len() > LONGEST_NAME {
            return Err(wording::name_too_long(Verb::Resolve, &self.shown));
        }
        Ok(())
    }

    fn follow(&mut self, parent: usize, target: &[u8]) -> Result<(), Error> {
        self.count_link()?;
        let start = if target.starts_with(b"/") { 0 } else { parent };
        self.reached.truncate(start);
        self.wants_directory |= self.pending.is_empty() && wants_directory(target);
        self.pending.extend(parts(target).rev().map(<[u8]>::to_vec));
        Ok(())
    }

    /// Whether the link just reached is one of /proc whose text is not where it leads:
    /// those of processes, unlike the few at the top, `self` among them.
    fn is_magic(&self, parent: usize) -> Result<bool, Error> {
        let folder = rooted(self.reached[..parent].to_vec());
        let system = statfs(folder.as_slice()).map_err(|errno| self.failed(errno))?;
        if system.f_type != PROC_SUPER_MAGIC {
            return Ok(false);
        }
        let top = stat(folder.as_slice()).map_err(|errno| self.failed(errno))?;
        Ok(top.st_ino != PROC_ROOT)
    }

    /// A magic link is kept in the key as if it were a directory: the kernel follows it at
    /// each use, and no fence mistakes the key for the place that it leads to.
    fn stop_at_magic_link(&mut self) -> Result<(), Error> {
        self.opaque = Some(self.reached.len());
        self.count_link()
    }

    fn count_link(&mut self) -> Result<(), Error> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(wording::too_many_links(Verb::Resolve, &self.shown));
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, Error> {
        if self.wants_directory && (self.missing || !self.is_directory()?) {
            return Err(wording::slash_after_file(Verb::Resolve, &self.shown));
        }
        Ok(rooted(self.reached))
    }

    fn is_directory(&self) -> Result<bool, Error> {
        match stat(rooted(self.reached.clone()).as_slice()) {
            Ok(stat) => Ok(FileType::from_raw_mode(stat.st_mode) == FileType::Directory),
            Err(errno) => Err(self.failed(errno)),
        }
    }

    fn failed(&self, errno: Errno) -> Error {
        wording::from_errno(Verb::Resolve, &self.shown, errno)
    }
}
