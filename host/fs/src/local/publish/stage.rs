//! A complete file beside the target, before it has the target's name.

use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::failure::Failure;
use super::marks::{self, Marks};
use crate::cancel::Cancel;
use crate::local::fence::Folder;
use crate::local::sys::{Kernel, Stat};

/// The most bytes written between two looks at the cancellation.
const PIECE: usize = 1 << 20;

/// The most bytes that are put together before they are written.
const SMALL: usize = 64 * 1024;

/// How many names are tried before giving up.
const NAMES: usize = 16;

/// What a new file is created with: the kernel takes away umask and default ACL.
const NEW_FILE: u32 = 0o666;

/// What a replacement is created with where it has a name: nobody else sees it before it
/// has its metadata.
const PRIVATE: u32 = 0o600;

/// The permissions that a staged file is made with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Born {
    named: u32,
    unnamed: u32,
}

impl Born {
    /// Those of a file that is new.
    pub(crate) const NEW: Self = Self {
        named: NEW_FILE,
        unnamed: NEW_FILE,
    };

    /// Those of a file that takes the place of this one. Nobody can open a file without a
    /// name, so it is made with the mode that it will need, and mostly keeps it.
    pub(crate) fn in_place_of(old: &Stat) -> Self {
        Self {
            named: PRIVATE,
            unnamed: old.permissions() & 0o777,
        }
    }
}

/// A staged file. Whatever has its name is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Staged<'p> {
    kernel: &'p Kernel,
    folder: &'p Folder,
    file: Option<OwnedFd>,
    name: Option<CString>,
}

impl<'p> Staged<'p> {
    /// Makes an empty file: without a name where the file system can, so that a crash
    /// leaves nothing, else under a name that says what it is.
    pub(crate) fn begin(
        kernel: &'p Kernel,
        folder: &'p Folder,
        born: Born,
        unnamed: bool,
    ) -> Result<Self, Failure> {
        let mut staged = Self {
            kernel,
            folder,
            file: None,
            name: None,
        };
        if unnamed {
            match kernel.open_unnamed(folder, born.unnamed) {
                Ok(file) => {
                    staged.file = Some(file);
                    return Ok(staged);
                }
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => {}
                Err(errno) => return Err(unmade(errno)),
            }
        }
        for _ in 0..NAMES {
            let name = marks::partial();
            match kernel.open_staged(folder, &name, born.named) {
                Ok(file) => {
                    staged.file = Some(file);
                    staged.name = Some(name);
                    return Ok(staged);
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(unmade(errno)),
            }
        }
        Err(Errno::EXIST.into())
    }

    /// The open file.
    pub(crate) fn file(&self) -> &OwnedFd {
        self.file.as_ref().expect("open until `close`")
    }

    /// Writes the content. Small pieces are put together, large ones taken as they are.
    pub(crate) fn write<'c>(
        &self,
        pieces: impl Iterator<Item = &'c [u8]>,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let mut small = Vec::new();
        for piece in pieces {
            if small.len() + piece.len() <= SMALL {
                small.extend_from_slice(piece);
                continue;
            }
            self.write_all(&small, cancel)?;
            small.clear();
            match piece.len() <= SMALL {
                true => small.extend_from_slice(piece),
                false => self.write_all(piece, cancel)?,
            }
        }
        self.write_all(&small, cancel)
    }

    fn write_all(&self, mut rest: &[u8], cancel: &Cancel) -> Result<(), Failure> {
        while !rest.is_empty() {
            if cancel.is_cancelled() {
                return Err(Failure::Aborted);
            }
            let now = &rest[..rest.len().min(PIECE)];
            match self.kernel.write(self.file(), now)? {
                0 => return Err(Errno::IO.into()),
                written => rest = &rest[written..],
            }
        }
        Ok(())
    }

    /// Waits until the content is on the disk.
    pub(crate) fn sync(&self) -> Result<(), Failure> {
        Ok(self.kernel.sync(self.file())?)
    }

    /// Closes the file: an open descriptor for writing would keep others from running
    /// the published file, and from leasing it.
    pub(crate) fn close(&mut self) {
        self.file = None;
    }

    /// Gives the complete file the name under which it can be exchanged.
    pub(crate) fn ready(&mut self, marks: &Marks) -> Result<(), Failure> {
        for _ in 0..NAMES {
            let ready = marks.to_name();
            let named = match &self.name {
                None => self.kernel.link_unnamed(self.file(), self.folder, &ready),
                Some(partial) => self.kernel.rename(self.folder, partial, &ready),
            };
            match named {
                Ok(()) => {
                    self.name = Some(ready);
                    return Ok(());
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(self.unnameable(errno)),
            }
        }
        Err(Errno::EXIST.into())
    }

    /// Publishes under a name that must be free. None of the ways can replace a file.
    ///
    /// `Exists` or `NotRegular`: something has the name.
    pub(crate) fn publish_new(&mut self, target: &CStr) -> Result<(), Failure> {
        let published = match &self.name {
            None => self.kernel.link_unnamed(self.file(), self.folder, target),
            Some(name) => self.move_new(name, target),
        };
        match published {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) => Err(self.what_exists(target)),
            Err(errno) if self.name.is_some() && is_unsupported(errno) => {
                Err(Failure::NoSafeCreate)
            }
            Err(errno) => Err(self.unnameable(errno)),
        }
    }

    /// The name under which it can be exchanged.
    pub(crate) fn name(&self) -> &CStr {
        self.name.as_deref().expect("named by `ready`")
    }

    /// Renames over the target, where names cannot be exchanged.
    pub(crate) fn rename_over(&mut self, target: &CStr) -> Result<(), Failure> {
        match self.kernel.rename(self.folder, self.name(), target) {
            Ok(()) => self.name = None,
            Err(Errno::BUSY) => return Err(Failure::MountedOn),
            Err(errno) => return Err(errno.into()),
        }
        Ok(())
    }

    /// Leaves what has the staging name: it may be the only copy of somebody's change.
    /// Recovery decides later.
    pub(crate) fn abandon(&mut self) {
        if let Some(name) = self.name.take() {
            tracing::warn!(name = %name.to_string_lossy(), "a staging file was left behind");
        }
    }

    fn move_new(&self, name: &CStr, target: &CStr) -> Result<(), Errno> {
        match self.kernel.rename_new(self.folder, name, target) {
            Err(errno) if is_unsupported(errno) => self.kernel.link(self.folder, name, target),
            other => other,
        }
    }

    fn what_exists(&self, target: &CStr) -> Failure {
        match self.kernel.stat_at(self.folder, target) {
            Ok(stat) if !stat.is_regular() => Failure::NotRegular,
            // Gone again, or unreadable: it was there when it mattered.
            _ => Failure::Exists,
        }
    }

    /// An unnamed file needs the right to link it, or /proc. Without, files are staged
    /// under names.
    fn unnameable(&self, errno: Errno) -> Failure {
        match errno {
            Errno::NOENT if self.folder_is_gone() => Failure::Again,
            Errno::NOENT if self.name.is_none() => Failure::Unlinkable,
            errno if self.name.is_none() && is_unsupported(errno) => Failure::Unlinkable,
            errno => errno.into(),
        }
    }

    fn folder_is_gone(&self) -> bool {
        self.kernel
            .stat(self.folder)
            .is_ok_and(|stat| stat.links == 0)
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        let Some(name) = self.name.take() else { return };
        match self.kernel.remove_file(self.folder, &name) {
            Ok(()) | Err(Errno::NOENT) => {}
            // Once more, for what passes; else the next process in this folder will.
            Err(_) => drop(self.kernel.remove_file(self.folder, &name)),
        }
    }
}

/// The folder itself was removed in the meantime, or lets nothing be made in it.
fn unmade(errno: Errno) -> Failure {
    match errno {
        Errno::NOENT => Failure::Again,
        Errno::ACCESS | Errno::PERM | Errno::ROFS => Failure::FolderNotWritable(errno),
        errno => errno.into(),
    }
}

/// The file system has no such operation, or does not let this user have it.
pub(super) fn is_unsupported(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::PERM | Errno::INVAL | Errno::OPNOTSUPP | Errno::NOSYS | Errno::XDEV
    )
}
