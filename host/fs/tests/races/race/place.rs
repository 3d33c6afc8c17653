//! Folders on different file systems.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dsh_fs::cancel::Cancel;
use dsh_fs::local::{Durability, LocalFileSystem, PublishOptions};
use dsh_fs::provider::Provider;
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{ExecutionPolicy, Mode, Target};
use dsh_fs::version::VersionSecret;

use super::Bound;

/// What every staging name begins with.
const STAGING: &str = ".dsh-fs-";

/// A fresh folder; removed when it is dropped.
pub(crate) struct Place {
    pub(crate) file_system: &'static str,
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn beneath(parent: &Path) -> Self {
        let folder = tempfile::tempdir_in(parent).expect("a folder");
        open_to_all(folder.path());
        Self {
            file_system: file_system(folder.path()),
            folder,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }
}

/// The folders in which races are run: the given one, and one in memory.
pub(crate) fn parents(given: &Path) -> Vec<PathBuf> {
    let memory = PathBuf::from("/dev/shm");
    let mut parents = vec![given.to_owned()];
    if memory.is_dir() && file_system(&memory) != file_system(given) {
        parents.push(memory);
    }
    parents
}

/// The kind of file system of a folder, from the magic number of statfs(2).
pub(crate) fn file_system(folder: &Path) -> &'static str {
    let found = rustix::fs::statfs(folder).expect("it is there");
    match found.f_type {
        0xEF53 => "ext4",
        0x0102_1994 => "tmpfs",
        0x8584_58F6 => "ramfs",
        0x794C_7630 => "overlayfs",
        0x5846_5342 => "xfs",
        0x9123_683E => "btrfs",
        0x6573_5546 => "fuse",
        _ => "another",
    }
}

/// Lets every user work in a folder.
pub(crate) fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("it is ours");
}

/// Every name beneath a folder, links not followed, folders with a slash, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    collect(folder, "", &mut names);
    names.sort();
    names
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("listed") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a type").is_dir() {
            collect(&entry.path(), &format!("{name}/"), names);
            names.push(format!("{name}/"));
        } else {
            names.push(name);
        }
    }
}

/// How many of these are staging files, or directories in the making or for removals.
pub(crate) fn leftovers(names: &[String]) -> usize {
    let last = |name: &str| {
        name.trim_end_matches('/')
            .rsplit('/')
            .next()
            .map(str::to_owned)
    };
    let is_staged = |name: &&String| last(name).is_some_and(|last| last.starts_with(STAGING));
    names.iter().filter(is_staged).count()
}

/// How many of these are directories that nothing is in.
pub(crate) fn empty_directories(names: &[String]) -> Vec<&String> {
    let is_empty = |name: &&String| {
        let name = name.as_str();
        name.ends_with('/')
            && !names
                .iter()
                .any(|other| other.len() > name.len() && other.starts_with(name))
    };
    names.iter().filter(is_empty).collect()
}

pub(crate) fn secret() -> VersionSecret {
    VersionSecret::random().expect("the kernel gives random bytes")
}

pub(crate) fn options(bound: Bound) -> PublishOptions {
    PublishOptions {
        durability: match bound.durable {
            true => Durability::Full,
            false => Durability::NoSync,
        },
        ..PublishOptions::default()
    }
}

/// The files of a session in this workspace, which is the only writable root.
pub(crate) fn session(workspace: &Path, secret: &VersionSecret, bound: Bound) -> Files {
    let local = LocalFileSystem::new(secret.clone(), options(bound));
    let sandbox = SandboxedFileSystem::new(std::sync::Arc::new(local), RootRules::workspace_only());
    let policy = ExecutionPolicy {
        mode: Mode::WorkspaceWrite,
        workspace_root: workspace.to_str().expect("text").to_owned(),
        session_id: None,
    };
    let roots = sandbox.pin(&policy).expect("the workspace is there");
    sandbox.open(policy, roots, Guarding::Required, None)
}

/// The target of a path, on a provider of its own.
pub(crate) fn target(local: &dyn Provider, path: &Path) -> Target {
    let path = path.to_str().expect("text");
    local.resolve(path, "/", &Cancel::new()).expect("resolves")
}
