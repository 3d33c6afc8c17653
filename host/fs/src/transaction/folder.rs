//! The folder of the journals, and the names in it.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, Stat, fstat, mkdir, open};
use rustix::io::{Errno, retry_on_intr};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::local::sys::{FOLDER, Kernel};

/// How the name of a journal ends.
pub(super) const JOURNAL: &str = ".journal";
/// How the name of one ends that a person may want to look at.
pub(super) const STOPPED: &str = ".stopped";

/// The most journals that are kept for a person to look at; then the oldest goes.
const MOST_STOPPED: usize = 64;

/// The folder, pinned when it was opened.
pub(super) struct Folder {
    pub(super) kernel: Kernel,
    pub(super) descriptor: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// Opens a folder that only this user can reach; makes it if it is not there.
    pub(super) fn open(kernel: Kernel, path: &Path) -> io::Result<Self> {
        match mkdir(path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno.into()),
        }
        let descriptor = retry_on_intr(|| open(path, FOLDER, Mode::empty()))?;
        check_private(&fstat(&descriptor)?)?;
        Ok(Self {
            kernel,
            descriptor,
            path: path.to_owned(),
        })
    }

    /// The names of the journals, of transactions that run and of such that do not.
    pub(super) fn journals(&self) -> Result<Vec<CString>, Errno> {
        self.names(JOURNAL)
    }

    /// A name that no other journal has.
    pub(super) fn fresh_name() -> Result<CString, Errno> {
        let mut nonce = [0; 8];
        getrandom(&mut nonce, GetRandomFlags::empty())?;
        let name = format!("{:016x}{JOURNAL}", u64::from_ne_bytes(nonce));
        Ok(CString::new(name).expect("digits have no NUL"))
    }

    /// Puts a journal aside for a person; answers where it is.
    pub(super) fn put_aside(&self, name: &CString) -> Result<PathBuf, Errno> {
        let stem = name.to_string_lossy();
        let stem = stem.strip_suffix(JOURNAL).unwrap_or(&stem);
        let aside = format!("{stem}{STOPPED}");
        let kept = CString::new(aside.clone()).expect("it was a name");
        self.kernel.rename(&self.descriptor, name, &kept)?;
        self.kernel.sync(&self.descriptor)?;
        self.forget_the_oldest();
        Ok(self.path.join(aside))
    }

    /// What cannot be removed is tried again the next time.
    fn forget_the_oldest(&self) {
        let Ok(names) = self.names(STOPPED) else {
            return;
        };
        let excess = names.len().saturating_sub(MOST_STOPPED);
        let mut aged: Vec<_> = names
            .into_iter()
            .filter_map(|name| {
                let stat = self.kernel.stat_at(&self.descriptor, &name).ok()?;
                Some((stat.changed, name))
            })
            .collect();
        aged.sort();
        for (_, name) in aged.into_iter().take(excess) {
            let _ = self.kernel.remove_file(&self.descriptor, &name);
        }
    }

    fn names(&self, ending: &str) -> Result<Vec<CString>, Errno> {
        let ending = ending.as_bytes();
        // A descriptor of its own: two threads may list at once.
        let listed = self.kernel.open_at(&self.descriptor, c".", FOLDER)?;
        self.kernel.list(listed, |name| name.ends_with(ending))
    }
}

fn check_private(stat: &Stat) -> io::Result<()> {
    let own = stat.st_uid == rustix::process::geteuid().as_raw();
    let shared = Mode::from_raw_mode(stat.st_mode).intersection(Mode::RWXG | Mode::RWXO);
    if own && shared.is_empty() {
        return Ok(());
    }
    let why = "the folder for the journals of transactions is not private to this user";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}
