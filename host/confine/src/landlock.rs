//! Landlock: the process gives up every right to change files but those beneath the roots.
//!
//! Only rights to change are given up, so that reads pass everywhere, as with the fence.

mod launcher;
mod ruleset;

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use dsh_fs::roots::Root;

use crate::options::Network;
use crate::profile::{Profile, path_of};
use crate::{rights, wording};

pub(crate) use launcher::FAILED;
pub use launcher::landlock_exec;
pub(crate) use ruleset::probe;
use ruleset::{Access, Grant, create};

/// Devices that hold nothing, which every command may write to.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// The rights that are left to a command. The roots are held open, so that it makes no
/// difference what their paths lead to by the time the command starts.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    writable: Vec<Arc<Root>>,
    network: Network,
}

impl Rules {
    /// The rules of a profile, and what they do not keep.
    pub(crate) fn of(profile: &Profile) -> (Self, Vec<String>) {
        let kernels = profile.kernel.iter();
        let mut gaps: Vec<String> = kernels
            .map(|path| wording::root_of_the_kernel(path))
            .collect();
        let whole = |root: &Arc<Root>| path_of(root) == Path::new("/");
        if profile.writable.iter().any(whole) {
            gaps.push(wording::landlock_protects_nothing(Path::new("/proc")));
        }
        let reopened = profile.protected.iter().filter(|path| {
            let mut roots = profile.writable.iter().map(|root| path_of(root));
            roots.any(|root| path.starts_with(&root) || root.starts_with(path))
        });
        gaps.extend(reopened.map(|path| wording::landlock_protects_nothing(path)));
        let hidden = profile.hidden.paths.iter();
        gaps.extend(hidden.map(|path| wording::landlock_hides_nothing(path)));
        gaps.extend(profile.hidden.later.iter().map(|rule| wording::later(rule)));
        if profile.network == Network::Closed {
            gaps.push(wording::landlock_closes_tcp_alone());
        }
        let rules = Self {
            writable: profile.writable.clone(),
            network: profile.network,
        };
        (rules, gaps)
    }

    /// The same rules for the launcher, without the command.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec!["--ro".into(), "/".into()];
        for device in DEVICES {
            args.extend(["--rw-try".into(), device.into()]);
        }
        for root in &self.writable {
            let is = format!("{}:{}", root.device(), root.inode());
            args.extend(["--rw".into(), path_of(root).into_os_string()]);
            args.extend(["--is".into(), is.into()]);
        }
        if self.network == Network::Closed {
            args.push("--no-tcp".into());
        }
        args
    }

    /// Has a command restrict itself before it becomes its program. A program that cannot
    /// be restricted is not started: `spawn` fails.
    pub(crate) fn restrict(&self, command: &mut Command) -> io::Result<()> {
        let ruleset = self.ruleset()?;
        #[allow(
            unsafe_code,
            reason = "only the child may be restricted, after the fork"
        )]
        // SAFETY: between fork and exec the closure makes a few system calls and allocates
        // nothing.
        unsafe {
            command.pre_exec(move || enforce(&ruleset));
        }
        Ok(())
    }

    fn ruleset(&self) -> io::Result<OwnedFd> {
        let mut grants = Vec::new();
        for device in DEVICES {
            grants.extend(Grant::open(Path::new(device), Access::Write).ok());
        }
        for root in &self.writable {
            grants.push(Grant::of(root.directory(), Access::Write)?);
        }
        create(&grants, false, self.network == Network::Closed)
    }
}

/// Gives up the rights of this thread; what it becomes or starts has no more.
fn enforce(ruleset: &OwnedFd) -> io::Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    #[allow(
        unsafe_code,
        reason = "the crate's own call allocates, which a child must not"
    )]
    // SAFETY: the call reads no memory of this process; the descriptor is open.
    let answer = unsafe {
        let flags: libc::c_ulong = 0;
        libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), flags)
    };
    if answer != 0 {
        return Err(io::Error::last_os_error());
    }
    // Rights of root reach past files: to other processes, the kernel, and devices.
    Ok(rights::give_up()?)
}
