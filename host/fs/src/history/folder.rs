//! Displaced texts as files of a private folder, named by version.
//!
//! A file is complete before it has its name, so that processes that share the folder see
//! whole texts only; a content has one name, so that two of them writing it agree.

use std::fmt::Write;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_NOW, fstat, mkdir,
    open, openat, renameat, statat, unlinkat, utimensat,
};
use rustix::io::{Errno, read, retry_on_intr, write};
use rustix::rand::{GetRandomFlags, getrandom};

use super::{HistoryLimits, LEAST};

/// How names of files begin that are not complete.
const STAGED: &str = ".new-";

/// An incomplete file that is older was left by a process that died.
const ABANDONED: Duration = Duration::from_mins(1);

/// The folder, pinned when it was opened.
pub(super) struct Folder {
    folder: OwnedFd,
    text_bytes: u64,
    most: u64,
    age: Duration,
    space: Mutex<Space>,
}

/// What is known of the space that is taken, in bytes.
#[derive(Default)]
struct Space {
    /// Since the folder was last looked through; `None` before.
    used: Option<u64>,
    /// What this process has added since.
    added: u64,
}

/// A file of the folder.
struct Kept {
    name: std::ffi::CString,
    age: Duration,
    weight: u64,
}

impl Folder {
    /// Opens a folder that only this user can read; makes it if it is not there.
    pub(super) fn open(path: &Path, limits: &HistoryLimits) -> io::Result<Self> {
        match mkdir(path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno.into()),
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = retry_on_intr(|| open(path, flags, Mode::empty()))?;
        check_private(&fstat(&folder)?)?;
        Ok(Self {
            folder,
            text_bytes: limits.text_bytes,
            most: limits.folder_bytes,
            age: limits.age,
            space: Mutex::default(),
        })
    }

    /// Keeps a text, and lets the oldest go. One that is there already is young again.
    pub(super) fn save(&self, version: &str, content: &[u8]) -> io::Result<()> {
        if utimensat(&self.folder, version, &now(), AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Ok(());
        }
        let weight = weight(content.len() as u64);
        if weight > self.most {
            return Ok(());
        }
        self.make_room(weight)?;
        self.publish(version, content)
    }

    /// The text of that version, if it is there and not too old.
    pub(super) fn load(&self, version: &str) -> Option<Vec<u8>> {
        if !is_name(version) {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(&self.folder, version, flags, Mode::empty()).ok()?;
        let stat = fstat(&file).ok()?;
        let size = u64::try_from(stat.st_size).ok()?;
        let regular = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !regular || size > self.text_bytes || age(&stat) > self.age {
            return None;
        }
        read_exactly(&file, usize::try_from(size).ok()?).ok()
    }

    /// Looks through the folder when it may be full, when this process does not know, and
    /// when it has added so much that others may have done the same.
    fn make_room(&self, weight: u64) -> io::Result<()> {
        let mut space = self.space.lock().unwrap_or_else(PoisonError::into_inner);
        let used = match space.used {
            Some(used) if used + weight <= self.most && space.added <= self.most / 16 => used,
            _ => {
                space.added = 0;
                self.sweep(weight)?
            }
        };
        space.used = Some(used + weight);
        space.added += weight;
        Ok(())
    }

    /// Removes what is too old, then the oldest until this much has room; answers what is
    /// left, in bytes. Something more goes than must, so that the next call need not look.
    fn sweep(&self, wanted: u64) -> io::Result<u64> {
        let mut kept = self.kept()?;
        kept.sort_by_key(|file| std::cmp::Reverse(file.age));
        let mut used: u64 = kept.iter().map(|file| file.weight).sum();
        let full = used + wanted > self.most;
        let goal = if full { self.most / 8 * 7 } else { self.most };
        for file in kept {
            let staged = file.name.as_bytes().starts_with(STAGED.as_bytes());
            let abandoned = staged && file.age > ABANDONED;
            if used + wanted > goal || file.age > self.age || abandoned {
                // Another process may have removed it already.
                let _ = unlinkat(&self.folder, &file.name, AtFlags::empty());
                used -= file.weight;
            }
        }
        Ok(used)
    }

    fn kept(&self) -> io::Result<Vec<Kept>> {
        let mut kept = Vec::new();
        for entry in Dir::read_from(&self.folder)? {
            let name = entry?.file_name().to_owned();
            let Ok(stat) = statat(&self.folder, &name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
                let size = u64::try_from(stat.st_size).unwrap_or_default();
                kept.push(Kept {
                    name,
                    age: age(&stat),
                    weight: weight(size),
                });
            }
        }
        Ok(kept)
    }

    fn publish(&self, version: &str, content: &[u8]) -> io::Result<()> {
        let staged = staged_name()?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = retry_on_intr(|| {
            openat(
                &self.folder,
                staged.as_str(),
                flags,
                Mode::RUSR | Mode::WUSR,
            )
        })?;
        let published = write_all(&file, content)
            .and_then(|()| Ok(renameat(&self.folder, &staged, &self.folder, version)?));
        if published.is_err() {
            // What cannot be removed is swept away later.
            let _ = unlinkat(&self.folder, &staged, AtFlags::empty());
        }
        published
    }
}

impl Drop for Folder {
    /// A process that saved nothing still removes what has become too old.
    fn drop(&mut self) {
        let space = self.space.get_mut().unwrap_or_else(PoisonError::into_inner);
        if space.used.is_none() {
            // There is nobody left to tell.
            let _ = self.sweep(0);
        }
    }
}

fn check_private(stat: &Stat) -> io::Result<()> {
    let own = stat.st_uid == rustix::process::geteuid().as_raw();
    let shared = Mode::from_raw_mode(stat.st_mode).intersection(Mode::RWXG | Mode::RWXO);
    if own && shared.is_empty() {
        return Ok(());
    }
    let why = "the folder for old texts is not private to this user";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

/// Only a version is ever a name here; a component may ask for any.
fn is_name(version: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !version.is_empty() && version.bytes().all(plain)
}

fn weight(size: u64) -> u64 {
    size.max(LEAST)
}

/// A file from the future is not old.
fn age(stat: &Stat) -> Duration {
    let seconds = u64::try_from(stat.st_mtime).unwrap_or_default();
    let nanoseconds = u32::try_from(stat.st_mtime_nsec).unwrap_or_default();
    let modified = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    SystemTime::now()
        .duration_since(modified)
        .unwrap_or_default()
}

fn now() -> Timestamps {
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    Timestamps {
        last_access: now,
        last_modification: now,
    }
}

fn staged_name() -> io::Result<String> {
    let mut nonce = [0; 8];
    getrandom(&mut nonce, GetRandomFlags::empty())?;
    let mut name = STAGED.to_owned();
    write!(name, "{:016x}", u64::from_ne_bytes(nonce)).expect("a string takes every write");
    Ok(name)
}

fn write_all(file: &OwnedFd, mut rest: &[u8]) -> io::Result<()> {
    while !rest.is_empty() {
        let written = retry_on_intr(|| write(file, rest))?;
        rest = &rest[written..];
    }
    Ok(())
}

fn read_exactly(file: &OwnedFd, size: usize) -> io::Result<Vec<u8>> {
    let mut content = vec![0; size];
    let mut filled = 0;
    while filled < size {
        match retry_on_intr(|| read(file, &mut content[filled..]))? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => filled += count,
        }
    }
    Ok(content)
}
