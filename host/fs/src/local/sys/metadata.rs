//! Mode, owner and extended attributes of an open file.

use std::ffi::{CStr, CString};
use std::os::fd::AsFd;

use rustix::fs::{Gid, IFlags, Mode, Uid, XattrFlags};
use rustix::io::Errno;
use rustix::thread::CapabilitySet;

use super::{Call, Kernel};

/// The first guess at the length of an attribute or of the list of their names.
const SHORT: usize = 512;

impl Kernel {
    /// Sets the permission bits, set-id and sticky included.
    pub(crate) fn change_mode(&self, file: impl AsFd, permissions: u32) -> Result<(), Errno> {
        let mode = Mode::from_raw_mode(permissions);
        self.call(Call::ChangeMode, || rustix::fs::fchmod(file.as_fd(), mode))
    }

    /// Gives the file away; `None` leaves as it is.
    pub(crate) fn change_owner(
        &self,
        file: impl AsFd,
        uid: Option<u32>,
        gid: Option<u32>,
    ) -> Result<(), Errno> {
        let (uid, gid) = (uid.map(Uid::from_raw), gid.map(Gid::from_raw));
        self.call(Call::ChangeOwner, || {
            rustix::fs::fchown(file.as_fd(), uid, gid)
        })
    }

    /// The names of the extended attributes; none where the file system has no such thing.
    pub(crate) fn attributes(&self, file: impl AsFd) -> Result<Vec<CString>, Errno> {
        let file = file.as_fd();
        let listed = self.sized(Call::ListAttributes, |room| {
            rustix::fs::flistxattr(file, room)
        });
        match listed {
            Ok(names) => Ok(split(&names)),
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(Vec::new()),
            Err(errno) => Err(errno),
        }
    }

    /// The value of one; `None` where it is not set.
    pub(crate) fn attribute(&self, file: impl AsFd, name: &CStr) -> Result<Option<Vec<u8>>, Errno> {
        let file = file.as_fd();
        let value = self.sized(Call::GetAttribute, |room| {
            rustix::fs::fgetxattr(file, name, room)
        });
        match value {
            Ok(value) => Ok(Some(value)),
            Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    /// Sets one.
    pub(crate) fn set_attribute(
        &self,
        file: impl AsFd,
        name: &CStr,
        value: &[u8],
    ) -> Result<(), Errno> {
        self.call(Call::SetAttribute, || {
            rustix::fs::fsetxattr(file.as_fd(), name, value, XattrFlags::empty())
        })
    }

    /// Removes one.
    pub(crate) fn remove_attribute(&self, file: impl AsFd, name: &CStr) -> Result<(), Errno> {
        self.call(Call::RemoveAttribute, || {
            rustix::fs::fremovexattr(file.as_fd(), name)
        })
    }

    /// The inode flags; none where the file system has no such thing.
    pub(crate) fn flags(&self, file: impl AsFd) -> Result<IFlags, Errno> {
        match self.call(Call::GetFlags, || rustix::fs::ioctl_getflags(file.as_fd())) {
            Err(Errno::NOTTY | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {
                Ok(IFlags::empty())
            }
            other => other,
        }
    }

    /// Sets all of them.
    pub(crate) fn set_flags(&self, file: impl AsFd, flags: IFlags) -> Result<(), Errno> {
        self.call(Call::SetFlags, || {
            rustix::fs::ioctl_setflags(file.as_fd(), flags)
        })
    }

    /// Whether this thread may keep set-id bits on files that it writes.
    pub(crate) fn keeps_set_id(&self) -> Result<bool, Errno> {
        let sets = self.call(Call::Capabilities, || rustix::thread::capabilities(None))?;
        Ok(sets.effective.contains(CapabilitySet::FSETID))
    }

    /// Repeats a call with more room until its answer fits.
    fn sized(
        &self,
        call: Call,
        ask: impl Fn(&mut [u8]) -> Result<usize, Errno>,
    ) -> Result<Vec<u8>, Errno> {
        let mut room = vec![0; SHORT];
        loop {
            match self.call(call, || ask(&mut room)) {
                Ok(length) => {
                    room.truncate(length);
                    return Ok(room);
                }
                // 64 KiB is the most that the kernel keeps of either.
                Err(Errno::RANGE) if room.len() < 1 << 17 => room.resize(room.len() * 4, 0),
                Err(errno) => return Err(errno),
            }
        }
    }
}

fn split(names: &[u8]) -> Vec<CString> {
    names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| CString::new(name).expect("split at NUL, so there is none inside"))
        .collect()
}
