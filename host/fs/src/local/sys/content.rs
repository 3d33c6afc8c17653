//! Reading, writing and syncing content.

use std::os::fd::AsFd;

use rustix::io::Errno;

use super::{Call, Kernel};

/// How much is read at once.
const CHUNK: usize = 256 * 1024;

/// A buffer for reading a file piece by piece; never larger than the file needs.
#[derive(Debug)]
pub(crate) struct Chunk(Vec<u8>);

impl Chunk {
    /// A buffer for a file of this many bytes.
    pub(crate) fn for_size(size: u64) -> Self {
        // One byte more than the size, so that the end is seen in the first read.
        let wanted = usize::try_from(size).unwrap_or(CHUNK).saturating_add(1);
        Self(vec![0; wanted.min(CHUNK)])
    }

    /// How much is asked for at once.
    pub(crate) fn room(&self) -> usize {
        self.0.len()
    }
}

impl Kernel {
    /// The bytes at an offset; empty at the end.
    pub(crate) fn read<'a>(
        &self,
        file: impl AsFd,
        chunk: &'a mut Chunk,
        offset: u64,
    ) -> Result<&'a [u8], Errno> {
        let length = self.call(Call::Read, || {
            rustix::io::pread(file.as_fd(), &mut chunk.0[..], offset)
        })?;
        Ok(&chunk.0[..length])
    }

    /// Reads into a buffer at an offset; says how much came, 0 at the end.
    pub(crate) fn read_into(
        &self,
        file: impl AsFd,
        buffer: &mut [u8],
        offset: u64,
    ) -> Result<usize, Errno> {
        self.call(Call::Read, || {
            rustix::io::pread(file.as_fd(), &mut *buffer, offset)
        })
    }

    /// Writes some of the bytes; says how many.
    pub(crate) fn write(&self, file: impl AsFd, bytes: &[u8]) -> Result<usize, Errno> {
        self.call(Call::Write, || rustix::io::write(file.as_fd(), bytes))
    }

    /// Writes some of the bytes at an offset; says how many.
    pub(crate) fn write_at(
        &self,
        file: impl AsFd,
        bytes: &[u8],
        offset: u64,
    ) -> Result<usize, Errno> {
        self.call(Call::Write, || {
            rustix::io::pwrite(file.as_fd(), bytes, offset)
        })
    }

    /// Cuts a file that is open for writing to this many bytes.
    pub(crate) fn truncate(&self, file: impl AsFd, size: u64) -> Result<(), Errno> {
        self.call(Call::Truncate, || rustix::fs::ftruncate(file.as_fd(), size))
    }

    /// Waits until a file or directory is on the disk.
    pub(crate) fn sync(&self, file: impl AsFd) -> Result<(), Errno> {
        self.call(Call::Sync, || rustix::fs::fsync(file.as_fd()))
    }
}
