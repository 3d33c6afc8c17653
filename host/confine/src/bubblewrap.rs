//! The arguments of bubblewrap: the whole disk read-only, the roots writable above it.
//!
//! Mounts are made parents first. A protected sub-path is a read-only mount, and every
//! directory between it and its root is a mount of its own: a mount point can be neither
//! renamed nor removed, so that nobody walks out of the read-only mount by moving what is
//! above it. Nothing is mounted where nothing is, since bubblewrap would make the
//! directory, and leave it behind.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::options::Network;
use crate::place::{self, Kind};
use crate::profile::{Profile, path_of};
use crate::rights::KEPT;
use crate::wording;

/// What is mounted at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mount {
    Writable,
    ReadOnly,
    EmptyFile,
    EmptyDirectory,
}

/// The arguments for a profile, up to the `--` before the command, and what they do not keep.
pub(crate) fn arguments(profile: &Profile) -> (Vec<OsString>, Vec<String>) {
    let mut gaps = Vec::new();
    let mounts = mounts(profile, &mut gaps);
    let root = mounts.get(Path::new("/"));
    let whole = profile.is_unfenced() || root == Some(&Mount::Writable);
    let mut args = base(whole);
    if profile.network == Network::Closed {
        args.push("--unshare-net".into());
    }
    for (path, mount) in &mounts {
        if path.parent().is_some() {
            push(&mut args, path, *mount);
        }
    }
    args.extend(closing());
    (args, gaps)
}

/// The last arguments that every command gets. The folders of the kernel are closed when
/// the mount points of the roots in them have been made.
///
/// Bubblewrap means to cover the settings of the kernel in `/proc`, and does not where root
/// has given up its rights: one of them names a program that the kernel starts as root.
pub(crate) fn closing() -> Vec<OsString> {
    words(&["--remount-ro", "/proc", "--remount-ro", "/dev"])
}

/// The first arguments that every command gets.
pub(crate) fn base(whole_disk_writable: bool) -> Vec<OsString> {
    let bind = if whole_disk_writable {
        "--bind"
    } else {
        "--ro-bind"
    };
    let mut args = words(&[bind, "/", "/", "--dev", "/dev"]);
    // The view of the disk is that of the fence: readable, with the host's names.
    args.extend(words(&["--ro-bind-try", "/dev/shm", "/dev/shm"]));
    args.extend(words(&["--unshare-pid", "--proc", "/proc"]));
    args.extend(words(&["--die-with-parent", "--new-session"]));
    args.extend(words(&["--cap-drop", "ALL"]));
    if rustix::process::geteuid().is_root() {
        for (capability, _) in KEPT {
            args.extend(words(&["--cap-add", capability]));
        }
    }
    args
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn push(args: &mut Vec<OsString>, path: &Path, mount: Mount) {
    let path = || path.as_os_str().to_owned();
    match mount {
        Mount::Writable => args.extend(["--bind".into(), path(), path()]),
        Mount::ReadOnly => args.extend(["--ro-bind".into(), path(), path()]),
        // A device that no mount in here lets be opened: not even root reads it.
        Mount::EmptyFile => args.extend(["--ro-bind".into(), "/dev/null".into(), path()]),
        Mount::EmptyDirectory => args.extend([
            "--perms".into(),
            "0000".into(),
            "--tmpfs".into(),
            path(),
            "--remount-ro".into(),
            path(),
        ]),
    }
}

/// What is mounted where, in the order in which it is mounted.
fn mounts(profile: &Profile, gaps: &mut Vec<String>) -> BTreeMap<PathBuf, Mount> {
    let mut mounts = BTreeMap::new();
    for root in &profile.writable {
        mounts.insert(path_of(root), Mount::Writable);
    }
    let kernels = profile.kernel.iter();
    gaps.extend(kernels.map(|path| wording::root_of_the_kernel(path)));
    for path in &profile.protected {
        protect(profile, path, &mut mounts, gaps);
    }
    hide(profile, &mut mounts, gaps);
    without_reopened(mounts)
}

fn protect(
    profile: &Profile,
    path: &Path,
    mounts: &mut BTreeMap<PathBuf, Mount>,
    gaps: &mut Vec<String>,
) {
    let Some(real) = place::canonical(path) else {
        gaps.push(wording::protected_is_missing(path));
        return;
    };
    if real != path {
        gaps.push(wording::protected_is_a_link(path));
    }
    pin_above(profile, &real, mounts);
    mounts.insert(real, Mount::ReadOnly);
}

/// Mounts every directory between a root and a path, so that none can be renamed: what is
/// mounted below would be left behind, and the content would be found under the new name.
fn pin_above(profile: &Profile, path: &Path, mounts: &mut BTreeMap<PathBuf, Mount>) {
    let roots = profile.writable.iter().map(|root| path_of(root));
    for root in roots.filter(|root| path.starts_with(root)) {
        let between = path.ancestors().skip(1);
        for pinned in between.take_while(|above| *above != root) {
            mounts.entry(pinned.to_owned()).or_insert(Mount::Writable);
        }
    }
}

fn hide(profile: &Profile, mounts: &mut BTreeMap<PathBuf, Mount>, gaps: &mut Vec<String>) {
    for path in profile.hidden.paths.iter().chain(&profile.own) {
        let mount = match place::kind(path) {
            Some(Kind::Directory) => Mount::EmptyDirectory,
            Some(Kind::File) => Mount::EmptyFile,
            // A link is no content, and what is not there has none.
            Some(Kind::Link) | None => continue,
        };
        pin_above(profile, path, mounts);
        mounts.insert(path.clone(), mount);
    }
    gaps.extend(profile.hidden.later.iter().map(|rule| wording::later(rule)));
}

/// Leaves out what would open again something that a mount above it closes.
fn without_reopened(mounts: BTreeMap<PathBuf, Mount>) -> BTreeMap<PathBuf, Mount> {
    let closes = |path: &Path, mount: Mount, by: &Path| {
        path != by
            && path.starts_with(by)
            && match mounts.get(by) {
                Some(Mount::EmptyDirectory | Mount::EmptyFile) => true,
                Some(Mount::ReadOnly) => matches!(mount, Mount::Writable | Mount::ReadOnly),
                Some(Mount::Writable) | None => false,
            }
    };
    let kept = mounts
        .iter()
        .filter(|(path, mount)| !path.ancestors().any(|above| closes(path, **mount, above)));
    kept.map(|(path, mount)| (path.clone(), *mount)).collect()
}
