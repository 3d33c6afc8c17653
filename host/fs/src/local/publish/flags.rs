//! The inode flags (`chattr`) of the old file on the new one.

use std::os::fd::OwnedFd;

use rustix::fs::IFlags;
use rustix::io::Errno;

use super::failure::Failure;
use crate::local::sys::Kernel;

/// `FS_NOCOMP_FL`, which the crate rustix leaves out.
const NOT_COMPRESSED: IFlags = IFlags::from_bits_retain(0x400);

/// The flags that somebody sets and that mean something for a file, and how a refusal
/// names them. All others are the file system's own, are inherited from the directory, or
/// forbid that the file is written to at all.
const KEPT: [(IFlags, &str); 10] = [
    (IFlags::NOATIME, "no-atime"),
    (IFlags::NODUMP, "no-dump"),
    (IFlags::SYNC, "synchronous"),
    (IFlags::JOURNALING, "data-journalling"),
    (IFlags::NOTAIL, "no-tail-merging"),
    (IFlags::SECURE_REMOVAL, "secure-deletion"),
    (IFlags::UNRM, "undeletable"),
    (IFlags::COMPRESSED, "compression"),
    (NOT_COMPRESSED, "no-compression"),
    (IFlags::NOCOW, "no-copy-on-write"),
];

/// Gives a staged file the flags of the old one, takes away what it got from its
/// directory, and looks whether that is what it has now. Answers whether anything had to be
/// changed.
pub(super) fn reproduce(kernel: &Kernel, old: &OwnedFd, staged: &OwnedFd) -> Result<bool, Failure> {
    let (wanted, given) = (kernel.flags(old)?, kernel.flags(staged)?);
    let Some(first) = difference(wanted, given) else {
        return Ok(false);
    };
    let kept = KEPT
        .iter()
        .fold(IFlags::empty(), |all, (flag, _)| all | *flag);
    match kernel.set_flags(staged, (given - kept) | (wanted & kept)) {
        Ok(()) => {}
        Err(
            Errno::PERM
            | Errno::ACCESS
            | Errno::OPNOTSUPP
            | Errno::INVAL
            | Errno::NOTTY
            | Errno::NOSYS,
        ) => return Err(refusal(first)),
        Err(errno) => return Err(errno.into()),
    }
    match difference(wanted, kernel.flags(staged)?) {
        None => Ok(true),
        Some(name) => Err(refusal(name)),
    }
}

/// The first of the kept flags that only one of the two has.
fn difference(one: IFlags, other: IFlags) -> Option<&'static str> {
    let (_, name) = KEPT
        .iter()
        .find(|(flag, _)| one.contains(*flag) != other.contains(*flag))?;
    Some(name)
}

fn refusal(name: &str) -> Failure {
    Failure::NotReproducible(format!("{name} flag"))
}
