//! A folder for one test, and a backend over it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::local::{Durability, LocalFileSystem, PublishOptions, Watch};
use dsh_fs::provider::Provider;
use dsh_fs::types::{Edit, EditGuard, Mutation, Removal, Report, Target, WriteGuard};
use dsh_fs::version::VersionSecret;
use dsh_fs::within::Within;

pub(crate) const TEXTS: Report = Report {
    hunks: true,
    texts: true,
};

/// A folder that is removed at the end, outside `/tmp`.
pub(crate) struct Tree {
    folder: tempfile::TempDir,
    pub(crate) fs: LocalFileSystem,
    pub(crate) secret: VersionSecret,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self::with(PublishOptions::default(), None)
    }

    pub(crate) fn quick() -> Self {
        Self::with(quick(), None)
    }

    pub(crate) fn watched(watch: Arc<dyn Watch>) -> Self {
        Self::with(quick(), Some(watch))
    }

    pub(crate) fn with(options: PublishOptions, watch: Option<Arc<dyn Watch>>) -> Self {
        let secret = VersionSecret::random().expect("random bytes");
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        Self {
            folder,
            fs: backend(&secret, options, watch),
            secret,
        }
    }

    /// Another backend with the same secret: what a later process would be.
    pub(crate) fn later(&self) -> LocalFileSystem {
        backend(&self.secret, quick(), None)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("parents");
        fs::write(&path, content).expect("written");
        path
    }

    pub(crate) fn content(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("readable text")
    }

    pub(crate) fn mode(&self, name: &str) -> u32 {
        let metadata = fs::symlink_metadata(self.path(name)).expect("there");
        metadata.mode() & 0o7777
    }

    pub(crate) fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).expect("chmod");
    }

    /// Every name beneath a folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.root())
    }

    pub(crate) fn target(&self, name: &str) -> Target {
        target(&self.fs, &self.path(name))
    }

    pub(crate) fn version(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).expect("readable");
        self.secret.version_of(&bytes)
    }

    pub(crate) fn write(
        &self,
        name: &str,
        content: &str,
        guard: &WriteGuard,
    ) -> Result<Mutation, Error> {
        write(&self.fs, &self.path(name), content, guard)
    }

    pub(crate) fn create(&self, name: &str, content: &str) -> Result<Mutation, Error> {
        self.write(name, content, &WriteGuard::CreateIfAbsent)
    }

    /// Replaces the version that the file has now.
    pub(crate) fn replace(&self, name: &str, content: &str) -> Result<Mutation, Error> {
        let guard = WriteGuard::ReplaceIfVersion(self.version(name));
        self.write(name, content, &guard)
    }

    /// Removes the version that the file has now.
    pub(crate) fn remove(&self, name: &str) -> Result<Removal, Error> {
        self.remove_with(name, &self.version(name), &Cancel::new())
    }

    pub(crate) fn remove_with(
        &self,
        name: &str,
        version: &str,
        cancel: &Cancel,
    ) -> Result<Removal, Error> {
        let within = Within::anywhere_unfenced();
        self.fs.remove(&self.target(name), &within, version, cancel)
    }

    pub(crate) fn edit(&self, name: &str, old: &str, new: &str) -> Result<Mutation, Error> {
        self.edit_all(name, old, new, false)
    }

    pub(crate) fn edit_all(
        &self,
        name: &str,
        old: &str,
        new: &str,
        replace_all: bool,
    ) -> Result<Mutation, Error> {
        let edit = edit(old, new, replace_all);
        self.edit_with(name, &edit, &EditGuard::Unconditional, &Cancel::new())
    }

    pub(crate) fn edit_with(
        &self,
        name: &str,
        edit: &Edit,
        guard: &EditGuard,
        cancel: &Cancel,
    ) -> Result<Mutation, Error> {
        let target = self.target(name);
        let within = Within::anywhere_unfenced();
        self.fs
            .edit_text(&target, &within, edit, guard, TEXTS, cancel)
    }
}

pub(crate) fn quick() -> PublishOptions {
    PublishOptions {
        durability: Durability::NoSync,
        ..PublishOptions::default()
    }
}

pub(crate) fn edit(old: &str, new: &str, replace_all: bool) -> Edit {
    Edit {
        old_text: old.to_owned(),
        new_text: new.to_owned(),
        replace_all,
    }
}

pub(crate) fn backend(
    secret: &VersionSecret,
    options: PublishOptions,
    watch: Option<Arc<dyn Watch>>,
) -> LocalFileSystem {
    match watch {
        Some(watch) => LocalFileSystem::watched(secret.clone(), options, watch),
        None => LocalFileSystem::new(secret.clone(), options),
    }
}

pub(crate) fn target(fs: &LocalFileSystem, path: &Path) -> Target {
    let path = path.to_str().expect("text");
    fs.resolve(path, "/", &Cancel::new()).expect("resolves")
}

pub(crate) fn write(
    fs: &LocalFileSystem,
    path: &Path,
    content: &str,
    guard: &WriteGuard,
) -> Result<Mutation, Error> {
    let target = target(fs, path);
    let within = Within::anywhere_unfenced();
    fs.write_text(&target, &within, content, guard, TEXTS, &Cancel::new())
}

/// Every name beneath a folder, sorted, folders with a slash.
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
            names.push(format!("{name}/"));
            collect(&entry.path(), &format!("{name}/"), names);
        } else {
            names.push(name);
        }
    }
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> Code {
    result.expect_err("must fail").code
}

/// Gives a file to the user that `unprivileged` runs as.
pub(crate) fn give_to_nobody(tree: &Tree, name: &str) {
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::lchown(tree.path(name), Some(65_534), Some(65_534)).expect("chown");
    }
}

/// Runs as an ordinary user in a thread of its own, if this process may do that.
pub(crate) fn unprivileged<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    const NOBODY: u32 = 65_534;
    if !rustix::process::geteuid().is_root() {
        return Some(run());
    }
    as_user((NOBODY, NOBODY, &[]), run)
}

/// Runs as a user with a group and further groups, in a thread of its own; root only.
pub(crate) fn as_user<T: Send>(
    (uid, gid, groups): (u32, u32, &[u32]),
    run: impl FnOnce() -> T + Send,
) -> Option<T> {
    use rustix::process::{Gid, Uid};
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
            let groups: Vec<Gid> = groups.iter().copied().map(Gid::from_raw).collect();
            rustix::thread::set_thread_groups(&groups).ok()?;
            rustix::thread::set_thread_res_gid(gid, gid, gid).ok()?;
            rustix::thread::set_thread_res_uid(uid, uid, uid).ok()?;
            Some(run())
        });
        thread.join().expect("no panic")
    })
}

/// Access control lists, as the kernel stores them: version 2, then tag, rights, id.
pub(crate) fn access_list(user: u32) -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] = [
        (1, 6, u32::MAX),
        (2, 6, user),
        (4, 4, u32::MAX),
        (16, 6, u32::MAX),
        (32, 0, u32::MAX),
    ];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}
