//! The secret of an installation, under which versions are made.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, fsync, linkat, open, unlinkat};
use rustix::io::{Errno, retry_on_intr};
use rustix::rand::{GetRandomFlags, getrandom};

/// Its size in bytes: what xxh3 mixes into the content.
const LENGTH: usize = 192;

/// The bytes under which versions are made. Versions are comparable under one secret only.
#[derive(Clone)]
pub struct VersionSecret(Arc<[u8; LENGTH]>);

impl VersionSecret {
    /// A new one, for versions that need not outlive this process.
    ///
    /// # Errors
    /// The kernel has no random bytes to give.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        let mut filled = 0;
        while filled < LENGTH {
            let rest = &mut bytes[filled..];
            filled += retry_on_intr(|| getrandom(&mut *rest, GetRandomFlags::empty()))?;
        }
        Ok(Self(Arc::new(bytes)))
    }

    /// The one kept in this file; where there is no file, a new one is put there, so that
    /// processes that start at once agree on one. The folder must exist.
    ///
    /// # Errors
    /// The file cannot be read or made, is open to other users, or is not 192 bytes long.
    pub fn load_or_create(path: &Path) -> io::Result<Self> {
        match load(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(path)?;
                load(path)
            }
            loaded => loaded,
        }
    }

    pub(super) fn bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }
}

impl fmt::Debug for VersionSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VersionSecret(..)")
    }
}

fn load(path: &Path) -> io::Result<VersionSecret> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = retry_on_intr(|| open(path, flags, Mode::empty()))?;
    check(&file)?;
    let mut bytes = [0; LENGTH];
    read_exactly(&file, &mut bytes)?;
    Ok(VersionSecret(Arc::new(bytes)))
}

/// A short or shared secret is a broken installation: better no start than versions that
/// others can forge.
fn check(file: &OwnedFd) -> io::Result<()> {
    let stat = fstat(file)?;
    let own = stat.st_uid == rustix::process::geteuid().as_raw();
    let private = Mode::from_raw_mode(stat.st_mode).intersection(Mode::RWXG | Mode::RWXO);
    let regular = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    if !regular || usize::try_from(stat.st_size) != Ok(LENGTH) {
        return Err(invalid("the version secret is not a file of 192 bytes"));
    }
    if !own || !private.is_empty() {
        return Err(invalid("the version secret is not private to this user"));
    }
    Ok(())
}

/// The secret is complete and synced before it has its name, and never replaces another.
fn create(path: &Path) -> io::Result<()> {
    let secret = VersionSecret::random()?;
    let staged = staged_beside(path)?;
    let published = write_staged(&staged, secret.bytes())
        .and_then(|()| Ok(linkat(CWD, &staged, CWD, path, AtFlags::empty())?));
    let removed = unlinkat(CWD, &staged, AtFlags::empty());
    match published {
        Err(error) if error.raw_os_error() == Some(Errno::EXIST.raw_os_error()) => {}
        other => other?,
    }
    Ok(removed?)
}

fn staged_beside(path: &Path) -> io::Result<std::path::PathBuf> {
    let mut nonce = [0; 8];
    getrandom(&mut nonce, GetRandomFlags::empty())?;
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{:016x}", u64::from_ne_bytes(nonce)));
    Ok(name.into())
}

fn write_staged(staged: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let file = retry_on_intr(|| open(staged, flags, Mode::RUSR | Mode::WUSR))?;
    let mut rest = bytes;
    while !rest.is_empty() {
        let written = retry_on_intr(|| rustix::io::write(&file, rest))?;
        rest = &rest[written..];
    }
    Ok(fsync(&file)?)
}

fn read_exactly(file: &OwnedFd, bytes: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while filled < bytes.len() {
        let read = retry_on_intr(|| rustix::io::read(file, &mut bytes[filled..]))?;
        if read == 0 {
            return Err(invalid("the version secret is not a file of 192 bytes"));
        }
        filled += read;
    }
    Ok(())
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
