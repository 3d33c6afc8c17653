//! A folder for one test, and a backend over it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::local::{Durability, LocalFileSystem, PublishOptions, Watch};
use dsh_fs::provider::Provider;
use dsh_fs::types::{Edit, EditGuard, Mutation, Report, Target, WriteGuard};
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

/// Runs as an ordinary user in a thread of its own, if this process may do that.
pub(crate) fn unprivileged<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    const NOBODY: u32 = 65_534;
    if !rustix::process::geteuid().is_root() {
        return Some(run());
    }
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let (uid, gid) = (
                rustix::process::Uid::from_raw(NOBODY),
                rustix::process::Gid::from_raw(NOBODY),
            );
            rustix::thread::set_thread_groups(&[]).ok()?;
            rustix::thread::set_thread_res_gid(gid, gid, gid).ok()?;
            rustix::thread::set_thread_res_uid(uid, uid, uid).ok()?;
            Some(run())
        });
        thread.join().expect("no panic")
    })
}
