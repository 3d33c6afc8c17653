//! File systems that are mounted for one process alone.

use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, unmount,
};
use serde::{Deserialize, Serialize};

use super::{place, user};

/// How much room an image says that it has; what nothing is written to takes none.
const IMAGE: u64 = 400 << 20;

/// Where mutations are made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Ground {
    /// The folder as it is.
    AsItIs,
    /// A file system of this type that needs no device, over the folder.
    Mounted(String),
    /// An overlay of two folders that lie in the folder.
    Overlay,
    /// A file system of this type in an image that lies in the folder.
    Image(String),
    /// A folder in the folder, served by a program (bindfs) under another name.
    Served,
}

impl Ground {
    /// What it is called in a report, over a folder on such a file system.
    pub(crate) fn name(&self, base: &str) -> String {
        match self {
            Self::AsItIs => base.to_owned(),
            Self::Mounted(kind) | Self::Image(kind) => kind.clone(),
            Self::Overlay => format!("overlayfs over {base}"),
            Self::Served => format!("FUSE over {base}"),
        }
    }

    /// The folder to work in; or why there is none.
    pub(crate) fn prepare(&self, folder: &Path) -> Result<Ready, String> {
        if matches!(self, Self::AsItIs) {
            return Ok(Ready(folder.to_owned()));
        }
        private_mounts()?;
        let ready = match self {
            Self::AsItIs | Self::Mounted(_) => folder.to_owned(),
            _ => made(folder, "merged"),
        };
        match self {
            Self::AsItIs => {}
            Self::Mounted(kind) => mounted(kind, &ready, None)?,
            Self::Overlay => overlay(folder, &ready)?,
            Self::Image(kind) => image(kind, folder, &ready)?,
            Self::Served => run(Command::new("bindfs")
                .arg(made(folder, "lower"))
                .arg(&ready))?,
        }
        place::open_to_all(&ready);
        Ok(Ready(ready))
    }
}

/// A folder to work in. Dropped, it is unmounted: a program that serves it keeps the
/// namespace alive that it serves.
pub(crate) struct Ready(pub(crate) PathBuf);

impl Drop for Ready {
    fn drop(&mut self) {
        // As another user, or where nothing is mounted, it fails.
        let _ = unmount(&self.0, UnmountFlags::DETACH);
    }
}

fn made(folder: &Path, name: &str) -> PathBuf {
    let made = folder.join(name);
    fs::create_dir(&made).expect("made");
    place::open_to_all(&made);
    made
}

fn mounted(kind: &str, folder: &Path, options: Option<CString>) -> Result<(), String> {
    mount(
        "none",
        folder,
        kind,
        MountFlags::empty(),
        options.as_deref(),
    )
    .map_err(|errno| format!("{kind} cannot be mounted: {errno}"))
}

/// The lower layer gets a file later, so that the first replacement copies it up.
fn overlay(folder: &Path, merged: &Path) -> Result<(), String> {
    let [lower, upper, work] = ["lower", "upper", "work"].map(|name| made(folder, name));
    let options = format!(
        "lowerdir={},upperdir={},workdir={}",
        lower.display(),
        upper.display(),
        work.display()
    );
    let options = CString::new(options).expect("no NUL");
    mounted("overlay", merged, Some(options))
}

fn image(kind: &str, folder: &Path, merged: &Path) -> Result<(), String> {
    let image = folder.join("image");
    let file = fs::File::create(&image).expect("made");
    file.set_len(IMAGE).expect("a hole");
    run(Command::new(format!("mkfs.{kind}")).arg("-q").arg(&image))?;
    run(Command::new("mount")
        .args(["-o", "loop", "-t", kind])
        .arg(&image)
        .arg(merged))
}

/// Runs a program of the system, which may stay behind to serve: nothing of ours is its own.
fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    match command.stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed: {status}")),
        Err(error) => Err(format!("{program} cannot be started: {}", error.kind())),
    }
}

/// A mount namespace of this thread's own, from which nothing is handed on.
fn private_mounts() -> Result<(), String> {
    if !user::is_root() {
        return Err("only root can mount".to_owned());
    }
    #[allow(unsafe_code, reason = "unshare can leave a thread without its files")]
    // SAFETY: CLONE_NEWNS shares out mounts and the current directory, no descriptors.
    let alone = unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNS) };
    alone.map_err(|errno| format!("no mount namespace: {errno}"))?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(|errno| format!("mounts stay shared: {errno}"))
}
