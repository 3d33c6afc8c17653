//! The four verbs on one path, through the fence.

use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::{Code, Error};
use dsh_fs::local::{Durability, LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::types::{Edit, EditGuard, Mode, Report, Target, WriteGuard};
use dsh_fs::version::VersionSecret;

use crate::support::Tree;
use crate::watch::Script;

const QUIET: Report = Report {
    hunks: false,
    texts: false,
};

/// The answers of read, write, edit and list: `None` where they succeeded.
pub(crate) type Answers = [Option<Code>; 4];

/// Nothing is wrong with a file but that it cannot be listed.
pub(crate) const A_FILE: Answers = [None, None, None, Some(Code::NotDirectory)];

/// Nothing but a listing can be done with a folder.
pub(crate) const A_FOLDER: Answers = [
    Some(Code::NotRegularFile),
    Some(Code::NotRegularFile),
    Some(Code::NotRegularFile),
    None,
];

/// A session in the workspace `ws` of a tree.
pub(crate) struct Place {
    pub(crate) tree: Tree,
    pub(crate) files: Files,
}

impl Place {
    pub(crate) fn new(nodes: &str) -> Self {
        Self::watched(nodes, Script::new())
    }

    pub(crate) fn watched(nodes: &str, script: Arc<Script>) -> Self {
        let tree = Tree::new(nodes);
        let secret = VersionSecret::random().expect("random bytes");
        let options = PublishOptions {
            durability: Durability::NoSync,
            ..PublishOptions::default()
        };
        let local = Arc::new(LocalFileSystem::watched(secret, options, script));
        let sandbox = SandboxedFileSystem::new(local, RootRules::workspace_only());
        let policy = tree.policy(Mode::WorkspaceWrite, "ws");
        let roots = sandbox.pin(&policy).expect("pinned");
        let files = sandbox.open(policy, roots, Guarding::Required, None);
        Self { tree, files }
    }

    pub(crate) fn target(&self, path: &str) -> Result<Target, Error> {
        self.files.resolve(path, None, &Cancel::new())
    }

    pub(crate) fn read(&self, target: &Target) -> Result<String, Error> {
        let read = self.files.read_text(target, 1 << 20, &Cancel::new())?;
        Ok(read.text)
    }

    /// Replaces what is there if it can be read, else creates.
    pub(crate) fn write(&self, target: &Target, content: &str) -> Result<(), Error> {
        let guard = match self.files.read_text(target, 1 << 20, &Cancel::new()) {
            Ok(read) => WriteGuard::ReplaceIfVersion(read.version),
            Err(_) => WriteGuard::CreateIfAbsent,
        };
        self.files
            .write_text(target, content, &guard, QUIET, &Cancel::new())
            .map(drop)
    }

    pub(crate) fn edit(&self, target: &Target, old: &str, new: &str) -> Result<(), Error> {
        let version = match self.files.read_text(target, 1 << 20, &Cancel::new()) {
            Ok(read) => read.version,
            Err(_) => "never seen".to_owned(),
        };
        let edit = Edit {
            old_text: old.to_owned(),
            new_text: new.to_owned(),
            replace_all: false,
        };
        let guard = EditGuard::IfVersion(version);
        self.files
            .edit_text(target, &edit, &guard, QUIET, &Cancel::new())
            .map(drop)
    }

    pub(crate) fn list(&self, target: &Target) -> Result<Vec<String>, Error> {
        let listed = self.files.list_dir(target, &Cancel::new())?;
        Ok(listed.into_iter().map(|entry| entry.name).collect())
    }

    /// Reads, writes `one`, edits it to `two`, lists; the path is resolved each time.
    pub(crate) fn all(&self, path: &str) -> Answers {
        let on = |act: &dyn Fn(&Target) -> Result<(), Error>| {
            let answer = self.target(path).and_then(|target| act(&target));
            answer.err().map(|error| error.code)
        };
        [
            on(&|target| self.read(target).map(drop)),
            on(&|target| self.write(target, "one")),
            on(&|target| self.edit(target, "one", "two")),
            on(&|target| self.list(target).map(drop)),
        ]
    }

    /// The names in a folder of the workspace, as listed.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let target = self.target(path).expect("it resolves");
        self.list(&target).expect("a folder")
    }
}
