//! The rights, as the kernel takes them, and how far this kernel knows them.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};

use super::enforce;
use crate::wording;

/// The newest rights that are given up. Those of newer kernels (sockets by path, UDP) are
/// no part of the policy of files.
const KNOWN: ABI = ABI::V8;

/// What is left beneath a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading and running.
    Read,
    /// The same and every change, but no making of devices.
    Write,
}

/// A right that is left.
#[derive(Debug)]
pub(super) struct Grant {
    place: OwnedFd,
    rights: BitFlags<AccessFs>,
}

impl Grant {
    /// The right at a path, links followed.
    pub(super) fn open(path: &Path, access: Access) -> io::Result<Self> {
        let place = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        Self::of(place.as_fd(), access)
    }

    /// The right at an open place.
    pub(super) fn of(place: BorrowedFd<'_>, access: Access) -> io::Result<Self> {
        let kind = FileType::from_raw_mode(fstat(place)?.st_mode);
        let mut rights = match access {
            Access::Read => AccessFs::from_read(KNOWN),
            // Root could else make the node of a disk in the workspace, and write to it.
            Access::Write => {
                AccessFs::from_all(KNOWN) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
            }
        };
        if kind == FileType::Directory {
            rights &= !AccessFs::IoctlDev;
        } else {
            rights &= AccessFs::from_file(KNOWN);
        }
        Ok(Self {
            place: place.try_clone_to_owned()?,
            rights,
        })
    }

    /// Whether the place is this device and inode.
    pub(super) fn is(&self, device: u64, inode: u64) -> io::Result<bool> {
        let stat = fstat(&self.place)?;
        Ok((stat.st_dev, stat.st_ino) == (device, inode))
    }
}

/// A ruleset that leaves these rights; of what the kernel does not know, nothing is given
/// up. With `reads`, reading and running are given up too.
pub(super) fn create(grants: &[Grant], reads: bool, no_tcp: bool) -> io::Result<OwnedFd> {
    let mut handled = AccessFs::from_write(KNOWN);
    if reads {
        handled |= AccessFs::from_read(KNOWN);
    }
    let created = build(grants, handled, no_tcp).map_err(io::Error::other)?;
    created.ok_or_else(|| io::Error::other(wording::landlock_is_absent()))
}

fn build(
    grants: &[Grant],
    handled: BitFlags<AccessFs>,
    no_tcp: bool,
) -> Result<Option<OwnedFd>, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(handled)?
        .scope(Scope::Signal)?;
    if no_tcp {
        ruleset = ruleset
            .handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?
            .scope(Scope::AbstractUnixSocket)?;
    }
    let mut created = ruleset.create()?;
    for grant in grants {
        let rights = grant.rights & handled;
        created = created.add_rule(PathBeneath::new(&grant.place, rights))?;
    }
    Ok(created.into())
}

/// What this kernel's Landlock does not keep; nothing where it keeps all.
///
/// # Errors
/// Landlock is not there, is off, or is kept from this process: one sentence.
pub(crate) fn probe() -> Result<Vec<String>, String> {
    let knows = |abi| {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        ruleset
            .handle_access(AccessFs::from_write(abi))
            .and_then(Ruleset::create)
            .is_ok()
    };
    if !knows(ABI::V1) {
        return Err(wording::landlock_is_absent());
    }
    tried_in_a_thread()?;
    let mut gaps = Vec::new();
    if !knows(ABI::V2) {
        gaps.push(wording::landlock_refuses_moves());
    }
    if !knows(ABI::V3) {
        gaps.push(wording::landlock_lets_truncate());
    }
    Ok(gaps)
}

/// Whether a thread that gave up its rights is really refused: rights belong to a thread,
/// so that one can lose them and end.
fn tried_in_a_thread() -> Result<(), String> {
    let tried = std::thread::spawn(|| -> io::Result<bool> {
        enforce(&create(&[], false, false)?)?;
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        Ok(open("/dev/null", flags, Mode::empty()).is_err())
    });
    match tried.join() {
        Ok(Ok(true)) => Ok(()),
        Ok(Ok(false)) | Err(_) => Err(wording::landlock_refuses_nothing()),
        Ok(Err(error)) => Err(wording::landlock_failed(&error)),
    }
}
