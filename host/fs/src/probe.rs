//! What this machine, and the file system of a folder, can enforce: found out by trying.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, ResolveFlags};
use rustix::io::Errno;

use crate::local::sys;

/// One thing that was tried.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was tried.
    pub name: &'static str,
    /// Whether it works.
    pub works: bool,
    /// What was found, with the reason where it does not work.
    pub detail: String,
    /// What it is needed for.
    pub matters: &'static str,
}

/// What the kernel and the installed programs offer.
#[must_use]
pub fn machine() -> Vec<Finding> {
    vec![openat2(), landlock(), bubblewrap()]
}

/// What the file system of an existing folder offers. Files are made there and removed.
#[must_use]
pub fn folder(folder: &Path) -> Vec<Finding> {
    let probe = Probe::new(folder);
    let exchange = finding(
        "exchange rename",
        probe
            .as_ref()
            .map_err(|errno| *errno)
            .and_then(Probe::exchange),
        "works",
        "a guarded replacement checks what it displaced; without it the grade is best-effort",
    );
    let no_replace = finding(
        "rename without replace",
        probe
            .as_ref()
            .map_err(|errno| *errno)
            .and_then(Probe::no_replace),
        "works",
        "a create cannot replace a file that somebody made meanwhile; else links are tried",
    );
    let lease = finding(
        "lease",
        probe
            .as_ref()
            .map_err(|errno| *errno)
            .and_then(Probe::lease),
        "works for files of this user",
        "writers wait while a file is replaced; without it the grade is best-effort",
    );
    vec![exchange, no_replace, lease]
}

fn finding(
    name: &'static str,
    tried: Result<(), Errno>,
    success: &str,
    matters: &'static str,
) -> Finding {
    let detail = match tried {
        Ok(()) => success.to_owned(),
        Err(errno) => format!("does not work here ({errno})"),
    };
    Finding {
        name,
        works: tried.is_ok(),
        detail,
        matters,
    }
}

fn openat2() -> Finding {
    let tried = rustix::fs::openat2(
        rustix::fs::CWD,
        "/",
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    );
    finding(
        "openat2",
        tried.map(drop),
        "works",
        "the kernel itself keeps a path beneath its root; else it is walked by hand",
    )
}

fn landlock() -> Finding {
    let abi = sys::landlock_abi();
    Finding {
        name: "Landlock",
        works: abi.is_ok(),
        detail: match abi {
            Ok(version) => format!("ABI {version}"),
            Err(errno) => format!("not offered by this kernel ({errno})"),
        },
        matters: "confines commands where bubblewrap does not work",
    }
}

fn bubblewrap() -> Finding {
    let tried = Command::new("bwrap")
        .args(["--ro-bind", "/", "/", "--unshare-user", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output();
    let (works, detail) = match tried {
        Ok(output) if output.status.success() => (true, "works".to_owned()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            (
                false,
                said.lines()
                    .next()
                    .unwrap_or("failed without a word")
                    .to_owned(),
            )
        }
        Err(error) => (false, format!("cannot be started ({})", error.kind())),
    };
    Finding {
        name: "bubblewrap",
        works,
        detail,
        matters: "confines commands",
    }
}

/// Two files in a folder of their own, removed when dropped.
struct Probe {
    folder: std::path::PathBuf,
}

impl Probe {
    fn new(beside: &Path) -> Result<Self, Errno> {
        let name = format!(".dsh-fs-probe-{}", std::process::id());
        let folder = beside.join(name);
        rustix::fs::mkdir(&folder, Mode::RWXU)?;
        let probe = Self { folder };
        probe.create("a")?;
        probe.create("b")?;
        Ok(probe)
    }

    fn create(&self, name: &str) -> Result<File, Errno> {
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::CLOEXEC;
        rustix::fs::open(self.folder.join(name), flags, Mode::RUSR | Mode::WUSR).map(File::from)
    }

    fn rename(&self, to: &str, flags: RenameFlags) -> Result<(), Errno> {
        let cwd = rustix::fs::CWD;
        rustix::fs::renameat_with(cwd, self.folder.join("a"), cwd, self.folder.join(to), flags)
    }

    fn exchange(&self) -> Result<(), Errno> {
        self.rename("b", RenameFlags::EXCHANGE)
    }

    fn no_replace(&self) -> Result<(), Errno> {
        match self.rename("b", RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => Ok(()),
            Err(errno) => Err(errno),
            Ok(()) => Err(Errno::INVAL),
        }
    }

    fn lease(&self) -> Result<(), Errno> {
        // A read lease is refused while anybody, this process included, could write.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = rustix::fs::open(self.folder.join("a"), flags, Mode::empty())?;
        sys::Kernel::default().take_lease(&file)
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // What cannot be removed was removed by somebody else: the names are ours alone.
        for name in ["a", "b"] {
            let _ = rustix::fs::unlinkat(rustix::fs::CWD, self.folder.join(name), AtFlags::empty());
        }
        let _ = rustix::fs::rmdir(&self.folder);
    }
}
