//! A folder with a workspace and a folder of journals, and whoever comes to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::error::Error;
use dsh_fs::local::{Durability, LocalFileSystem, PublishOptions, Watch};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use dsh_fs::transaction::{Recovered, RolledBack, Transaction, Transactions};
use dsh_fs::types::{Edit, EditGuard, ExecutionPolicy, Mode, Mutation, Report, WriteGuard};
use dsh_fs::version::VersionSecret;

/// What the files hold before: a byte order mark, mixed endings, no last newline.
pub(crate) const OLD: [(&str, &str); 3] = [
    ("a", "\u{feff}one\r\ntwo\nend"),
    ("b", "one\n"),
    ("sub/c", "one"),
];

/// What they hold after [`Party::change_all`].
pub(crate) const NEW: [(&str, &str); 3] = [
    ("a", "\u{feff}three\r\ntwo\nend"),
    ("b", "2\n"),
    ("sub/c", "2"),
];

/// The edits: file, old text, new text. One file is edited twice.
const EDITS: [(&str, &str, &str); 4] = [
    ("a", "one", "1"),
    ("b", "one", "2"),
    ("a", "1\ntwo", "three\ntwo"),
    ("sub/c", "one", "2"),
];

/// A folder that is removed at the end, outside `/tmp`.
pub(crate) struct Ground(tempfile::TempDir);

impl Ground {
    pub(crate) fn new() -> Self {
        Self::on(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// One in memory where there is such a place: for hundreds of runs.
    pub(crate) fn quick() -> Self {
        match Path::new("/dev/shm") {
            memory if memory.is_dir() => Self::on(memory),
            _ => Self::new(),
        }
    }

    fn on(place: &Path) -> Self {
        let folder = tempfile::tempdir_in(place).expect("a folder");
        fs::create_dir_all(folder.path().join("ws/sub")).expect("folders");
        let ground = Self(folder);
        for (name, content) in OLD {
            ground.put(name, content);
        }
        ground
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join("ws").join(name)
    }

    pub(crate) fn put(&self, name: &str, content: &str) {
        fs::write(self.file(name), content).expect("written");
    }

    pub(crate) fn content(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect("readable text")
    }

    pub(crate) fn holds(&self, expected: [(&str, &str); 3]) -> bool {
        expected
            .iter()
            .all(|(name, content)| self.content(name) == *content)
    }

    /// Whoever comes to it, as a process of its own would.
    pub(crate) fn party(&self) -> Party {
        Party::at(self.path(), None)
    }

    /// The names in the workspace, once somebody has published in its folders: staged
    /// files that a crash left are gone by then.
    pub(crate) fn names(&self) -> Vec<String> {
        let party = self.party();
        for name in ["z", "sub/z"] {
            party.create(name).expect("created");
            fs::remove_file(self.file(name)).expect("removed");
        }
        names(&self.path().join("ws"))
    }

    /// The names in the folder of the journals.
    pub(crate) fn journals(&self) -> Vec<String> {
        names(&self.path().join("journals"))
    }

    /// Fails unless the files hold what is expected, and nothing else is left anywhere.
    pub(crate) fn is_clean(&self, what: &str) {
        assert_eq!(self.names(), ["a", "b", "sub/", "sub/c"], "{what}");
        assert!(self.journals().is_empty(), "{what}: {:?}", self.journals());
    }
}

/// A process that uses the ground.
pub(crate) struct Party {
    pub(crate) files: SandboxedFileSystem,
    pub(crate) transactions: Transactions,
    workspace: String,
}

impl Party {
    pub(crate) fn at(ground: &Path, watch: Option<Arc<dyn Watch>>) -> Self {
        Self::under(ground, RootRules::workspace_only(), watch)
    }

    pub(crate) fn under(ground: &Path, rules: RootRules, watch: Option<Arc<dyn Watch>>) -> Self {
        let secret = VersionSecret::load_or_create(&ground.join("secret")).expect("a secret");
        let options = PublishOptions {
            durability: Durability::NoSync,
            ..PublishOptions::default()
        };
        let journals = ground.join("journals");
        let (local, transactions) = match watch {
            Some(watch) => (
                LocalFileSystem::watched(secret.clone(), options, watch.clone()),
                Transactions::watched(secret, &journals, watch),
            ),
            None => (
                LocalFileSystem::new(secret.clone(), options),
                Transactions::in_folder(secret, &journals),
            ),
        };
        let workspace = ground.join("ws").canonicalize().expect("it is there");
        Self {
            files: SandboxedFileSystem::new(Arc::new(local), rules),
            transactions: transactions.expect("a private folder"),
            workspace: workspace.into_os_string().into_string().expect("text"),
        }
    }

    pub(crate) fn open(&self, mode: Mode) -> Files {
        let policy = ExecutionPolicy {
            mode,
            workspace_root: self.workspace.clone(),
            session_id: None,
        };
        let roots = self.files.pin(&policy).expect("pinned");
        self.files.open(policy, roots, Guarding::Required, None)
    }

    pub(crate) fn begin(&self) -> Result<Arc<Transaction>, Error> {
        self.transactions.begin("a test")
    }

    /// One edit, of what the file holds now.
    pub(crate) fn edit(
        &self,
        transaction: &Arc<Transaction>,
        (name, old, new): (&str, &str, &str),
    ) -> Result<Mutation, Error> {
        let (files, cancel) = (self.open(Mode::WorkspaceWrite), Cancel::new());
        let target = files.resolve(name, None, &cancel)?;
        let version = files.read_text(&target, 1 << 20, &cancel)?.version;
        let edit = Edit {
            old_text: old.to_owned(),
            new_text: new.to_owned(),
            replace_all: false,
        };
        let guard = EditGuard::IfVersion(version);
        files.edit_text_in(
            transaction,
            &target,
            &edit,
            &guard,
            Report::default(),
            &cancel,
        )
    }

    /// Every edit, in a transaction that is not ended.
    pub(crate) fn edit_all(&self) -> Result<Arc<Transaction>, (Arc<Transaction>, Error)> {
        let transaction = self.begin().expect("begun");
        for edit in EDITS {
            if let Err(error) = self.edit(&transaction, edit) {
                return Err((transaction, error));
            }
        }
        Ok(transaction)
    }

    /// All of it, or nothing; the last edit finds nothing where `fails` is set.
    pub(crate) fn change_all(&self, fails: bool) -> Result<(), Box<(Error, RolledBack)>> {
        let transaction = match self.begin() {
            Ok(transaction) => transaction,
            Err(error) => return Err(Box::new((error, RolledBack::default()))),
        };
        let mut done = EDITS
            .iter()
            .try_for_each(|edit| self.edit(&transaction, *edit).map(drop));
        if fails {
            done = done.and_then(|()| self.edit(&transaction, ("b", "none", "x")).map(drop));
        }
        done.and_then(|()| transaction.commit())
            .map_err(|error| Box::new((error, transaction.roll_back(&self.files))))
    }

    pub(crate) fn recover(&self) -> Vec<Recovered> {
        self.transactions.recover(&self.files).expect("listed")
    }

    fn create(&self, name: &str) -> Result<Mutation, Error> {
        let (files, cancel) = (self.open(Mode::WorkspaceWrite), Cancel::new());
        let target = files.resolve(name, None, &cancel)?;
        let guard = WriteGuard::CreateIfAbsent;
        files.write_text(&target, "", &guard, Report::default(), &cancel)
    }
}

/// Every name beneath a folder, sorted, folders with a slash.
fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().expect("a type").is_dir() {
            let inner = names(&entry.path()).into_iter();
            found.extend(inner.map(|inner| format!("{name}/{inner}")));
            found.push(format!("{name}/"));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}
