//! The same work without policy and without the component: plain system calls, in the
//! order in which a careful program would make them. A failure is a panic, since there is
//! nothing to measure then.

mod lease;
mod list;
mod pass;
mod read;
mod write;

pub(crate) use list::list;
pub(crate) use pass::pass;
pub(crate) use read::read;
pub(crate) use write::{edit, write};

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, open, openat2};

/// A secret for xxh3, as long as the host's.
pub(crate) const SECRET: [u8; 192] = [7; 192];

/// Finds out that a path has no links, as resolving does.
fn resolve(path: &Path) {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS).expect("it has no links");
}

fn open_read(path: &Path) -> OwnedFd {
    open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).expect("it can be read")
}
