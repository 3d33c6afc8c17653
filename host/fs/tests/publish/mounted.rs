//! The same on a file system that only root can mount: in a second process, whose mounts
//! nobody else sees.

use std::process::{Command, Stdio};

use dsh_fs::error::Code;
use dsh_fs::types::WriteGuard;
use rustix::fs::{IFlags, Mode, OFlags, ioctl_setflags, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, unmount,
};

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
    /// An NTFS that a program serves, case ignored everywhere.
    Ntfs,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Ramfs => "ramfs",
            Self::Casefold => "casefold",
            Self::Ntfs => "ntfs",
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
        let folder = env!("CARGO_TARGET_TMPDIR");
        let (kind, options) = match self {
            Self::Ramfs => ("ramfs", None),
            Self::Casefold => ("tmpfs", Some(c"casefold")),
            Self::Ntfs => return served(folder),
        };
        mount("none", folder, kind, MountFlags::empty(), options)
            .map_err(|errno| format!("{} cannot be mounted: {errno}", self.name()))
    }
}

/// Mounts an image by lowntfs-3g. The image is removed at once: the program has it open.
fn served(folder: &str) -> Result<(), String> {
    let image = tempfile::NamedTempFile::new().expect("an image");
    image.as_file().set_len(16 << 20).expect("a hole");
    let mut make = Command::new("mkntfs");
    quietly(make.args(["--force", "--quick"]).arg(image.path()))?;
    let mut serve = Command::new("lowntfs-3g");
    quietly(
        serve
            .args(["-o", "ignore_case,permissions"])
            .arg(image.path())
            .arg(folder),
    )
}

/// Ends the program that serves the folder: it keeps the namespace alive that it serves.
struct Unmounted;

impl Drop for Unmounted {
    fn drop(&mut self) {
        let _ = unmount(env!("CARGO_TARGET_TMPDIR"), UnmountFlags::DETACH);
    }
}

/// Runs a program which may stay behind to serve, so that no stream of ours is its own.
fn quietly(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    match command.stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed: {status}")),
        Err(error) => Err(format!("{program} cannot be started: {}", error.kind())),
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
        "ntfs" => Kind::Ntfs,
        _ => Kind::Casefold,
    };
    println!();
    match kind.mount() {
        Err(reason) => println!("SKIPPED: {reason}"),
        Ok(()) if kind == Kind::Ramfs => {
            println!("STALE {} AND {}", stale_rewrites(), late_rewrites_found())
        }
        Ok(()) if kind == Kind::Ntfs => {
            let _served = Unmounted;
            println!("{}", one_file(&Tree::quick()));
        }
        Ok(()) => println!("{}", two_spellings()),
    }
}

fn two_spellings() -> String {
    let tree = Tree::quick();
    let folder = open(tree.root(), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    /// `FS_CASEFOLD_FL` of Linux.
    const CASEFOLD: IFlags = IFlags::from_bits_retain(0x4000_0000);
    if let Err(errno) = folder.and_then(|folder| ioctl_setflags(folder, CASEFOLD)) {
        return format!("SKIPPED: no folder ignores case: {errno}");
    }
    one_file(&tree)
}

/// Where case is ignored, another spelling finds the file, and its guard holds.
fn one_file(tree: &Tree) -> String {
    tree.put("name", "old");
    assert_eq!(code(tree.create("NAME", "mine")), Code::NotObserved);
    let never = WriteGuard::ReplaceIfVersion("never seen".to_owned());
    assert_eq!(code(tree.write("NAME", "mine", &never)), Code::StaleVersion);
    tree.replace("NAME", "new").expect("replaced");
    // By the same spelling: of a served folder the kernel remembers what the other one meant.
    assert_eq!(
        (tree.content("NAME"), tree.names().len()),
        ("new".to_owned(), 1)
    );
    "ONE FILE".to_owned()
}

#[test]
fn a_folder_that_ignores_case_keeps_the_guard() {
    run(Kind::Casefold, "ONE FILE");
}

#[test]
fn a_served_folder_that_ignores_case_keeps_the_guard() {
    run(Kind::Ntfs, "ONE FILE");
}
