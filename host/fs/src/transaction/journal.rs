//! One journal: a file that is locked by its owner, and only ever grows until it is
//! decided; then it is emptied and removed.

use std::ffi::CString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use super::folder::Folder;
use super::record::{self, Record};
use crate::local::sys::FILE;
use crate::version::VersionSecret;

/// How often a name is tried: a recovery may take a journal away that is not locked yet.
const ATTEMPTS: u32 = 8;

/// The longest journal that is read, in bytes.
const LONGEST: u64 = 1 << 30;

/// A journal that is open, and locked until it is dropped.
pub(super) struct Journal {
    folder: Arc<Folder>,
    secret: VersionSecret,
    name: CString,
    file: OwnedFd,
}

impl Journal {
    /// Begins one: it is on the disk, and nobody else takes it for left behind.
    pub(super) fn begin(
        folder: &Arc<Folder>,
        secret: &VersionSecret,
        label: &str,
    ) -> Result<Self, Errno> {
        for _ in 0..ATTEMPTS {
            let name = Folder::fresh_name()?;
            let file = folder
                .kernel
                .open_staged(&folder.descriptor, &name, 0o600)?;
            let journal = Self {
                folder: Arc::clone(folder),
                secret: secret.clone(),
                name,
                file,
            };
            match journal.lock_and_begin(label) {
                Ok(true) => return Ok(journal),
                Ok(false) => {}
                Err(errno) => {
                    journal.remove();
                    return Err(errno);
                }
            }
        }
        Err(Errno::AGAIN)
    }

    fn lock_and_begin(&self, label: &str) -> Result<bool, Errno> {
        let kernel = &self.folder.kernel;
        match kernel.lock(&self.file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::AGAIN) => return Ok(false),
            other => other?,
        }
        if kernel.stat(&self.file)?.links == 0 {
            return Ok(false);
        }
        let label = label.to_owned();
        self.append(&Record::Begin { label })?;
        kernel.sync(&self.folder.descriptor)?;
        Ok(true)
    }

    /// Takes over a journal whose owner is gone; `None` where it has one.
    pub(super) fn take_over(
        folder: &Arc<Folder>,
        secret: &VersionSecret,
        name: CString,
    ) -> Result<Option<Self>, Errno> {
        let kernel = &folder.kernel;
        let flags = FILE.union(OFlags::RDWR);
        let file = match kernel.open_at(&folder.descriptor, &name, flags) {
            Err(Errno::NOENT) => return Ok(None),
            other => other?,
        };
        match kernel.lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::AGAIN) => return Ok(None),
            other => other?,
        }
        // Another recovery may have been at it between the two calls.
        let same = match kernel.stat_at(&folder.descriptor, &name) {
            Ok(named) => named.id == kernel.stat(&file)?.id,
            Err(Errno::NOENT) => false,
            Err(errno) => return Err(errno),
        };
        Ok(same.then(|| Self {
            folder: Arc::clone(folder),
            secret: secret.clone(),
            name,
            file,
        }))
    }

    /// Adds a record; it is on the disk when this returns.
    pub(super) fn append(&self, record: &Record) -> Result<(), Errno> {
        let kernel = &self.folder.kernel;
        let before = kernel.stat(&self.file)?.size;
        let line = record::line(&self.secret, record);
        let written = self
            .write(&line, before)
            .and_then(|()| kernel.sync(&self.file));
        if written.is_err() {
            // A broken line in the middle would make the whole unreadable.
            let _ = kernel.truncate(&self.file, before);
        }
        written
    }

    fn write(&self, mut rest: &[u8], mut at: u64) -> Result<(), Errno> {
        while !rest.is_empty() {
            let written = self.folder.kernel.write_at(&self.file, rest, at)?;
            rest = &rest[written..];
            at += written as u64;
        }
        Ok(())
    }

    /// The records; `None` where they are not as they were written.
    pub(super) fn records(&self) -> Result<Option<Vec<Record>>, Errno> {
        let kernel = &self.folder.kernel;
        let size = kernel.stat(&self.file)?.size;
        if size > LONGEST {
            return Ok(None);
        }
        let mut content = vec![0; usize::try_from(size).map_err(|_| Errno::FBIG)?];
        let mut filled = 0;
        while filled < content.len() {
            match kernel.read_into(&self.file, &mut content[filled..], filled as u64)? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(record::read(&self.secret, &content[..filled]))
    }

    /// Nothing in it is to be restored any more: from here on no crash brings it back.
    /// The name goes too; one that stays is an empty journal, which means nothing.
    pub(super) fn close(&self) -> Result<(), Errno> {
        let kernel = &self.folder.kernel;
        kernel.truncate(&self.file, 0)?;
        if let Err(errno) = kernel.sync(&self.file) {
            tracing::warn!(%errno, "a power failure now could take a finished change back");
        }
        self.remove();
        Ok(())
    }

    fn remove(&self) {
        let folder = &self.folder;
        if let Err(errno) = folder.kernel.remove_file(&folder.descriptor, &self.name) {
            tracing::debug!(%errno, "a finished journal was not removed");
        }
    }

    /// Puts it aside for a person; answers where it is.
    pub(super) fn put_aside(&self) -> Result<PathBuf, Errno> {
        self.folder.put_aside(&self.name)
    }
}
