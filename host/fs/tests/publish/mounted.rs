//! The same on a file system that only root can mount: in a second process, whose mounts
//! nobody else sees.

use std::process::Command;

use dsh_fs::error::Code;
use dsh_fs::types::WriteGuard;
use rustix::fs::{IFlags, Mode, OFlags, ioctl_setflags, open};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};

use crate::tree::{Tree, code};
use crate::versions::{late_rewrites_found, stale_rewrites};

/// Tells the second process what to mount.
const KIND: &str = "DSH_FS_TEST_MOUNT";

/// What is mounted over the folder in which trees are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Memory, with time stamps as coarse as the clock tick.
    Ramfs,
    /// A tmpfs whose folders may ignore case.
    Casefold,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Ramfs => "ramfs",
            Self::Casefold => "casefold",
        }
    }

    fn mount(self) -> Result<(), String> {
        if !rustix::process::geteuid().is_root() {
            return Err("only root can mount".to_owned());
        }
        #[allow(unsafe_code, reason = "unshare can leave a thread without its files")]
        // SAFETY: CLONE_NEWNS shares out mounts and the current directory, no descriptors.
        let alone = unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNS) };
        alone.map_err(|errno| format!("no mount namespace: {errno}"))?;
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change("/", private).map_err(|errno| format!("mounts stay shared: {errno}"))?;
        let (kind, options) = match self {
            Self::Ramfs => ("ramfs", None),
            Self::Casefold => ("tmpfs", Some(c"casefold")),
        };
        let folder = env!("CARGO_TARGET_TMPDIR");
        mount("none", folder, kind, MountFlags::empty(), options)
            .map_err(|errno| format!("{} cannot be mounted: {errno}", self.name()))
    }
}

/// Runs a kind in a second process, which must say this; or says why it was skipped.
pub(crate) fn run(kind: Kind, expected: &str) {
    let program = std::env::current_exe().expect("this test");
    let output = Command::new(program)
        .args(["--exact", "mounted::second_process", "--nocapture"])
        .env(KIND, kind.name())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let skipped = said.lines().find(|line| line.starts_with("SKIPPED"));
    match skipped {
        Some(line) => println!("{line}"),
        None => assert!(said.lines().any(|line| line == expected), "{said}"),
    }
}

/// What the second process is: this test, run again. By itself it does nothing.
#[test]
fn second_process() {
    let Ok(name) = std::env::var(KIND) else {
        return;
    };
    let kind = match name.as_str() {
        "ramfs" => Kind::Ramfs,
        _ => Kind::Casefold,
    };
    println!();
    match kind.mount() {
        Err(reason) => println!("SKIPPED: {reason}"),
        Ok(()) if kind == Kind::Ramfs => {
            println!("STALE {} AND {}", stale_rewrites(), late_rewrites_found())
        }
        Ok(()) => println!("{}", two_spellings()),
    }
}

/// Where the kernel ignores case, another spelling finds the file, and its guard holds.
fn two_spellings() -> String {
    let tree = Tree::quick();
    let folder = open(tree.root(), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    /// `FS_CASEFOLD_FL` of Linux.
    const CASEFOLD: IFlags = IFlags::from_bits_retain(0x4000_0000);
    if let Err(errno) = folder.and_then(|folder| ioctl_setflags(folder, CASEFOLD)) {
        return format!("SKIPPED: no folder ignores case: {errno}");
    }
    tree.put("name", "old");
    assert_eq!(code(tree.create("NAME", "mine")), Code::NotObserved);
    let never = WriteGuard::ReplaceIfVersion("never seen".to_owned());
    assert_eq!(code(tree.write("NAME", "mine", &never)), Code::StaleVersion);
    tree.replace("NAME", "new").expect("replaced");
    assert_eq!(
        (tree.content("name"), tree.names().len()),
        ("new".to_owned(), 1)
    );
    "ONE FILE".to_owned()
}

#[test]
fn a_folder_that_ignores_case_keeps_the_guard() {
    run(Kind::Casefold, "ONE FILE");
}
