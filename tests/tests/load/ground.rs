//! A workspace with a thousand files, and what stands on it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_harness::deployment::Deployment;
use dsh_fs_harness::{Harness, HarnessOptions};
use dsh_fs_runtime::{RuntimeOptions, SessionOptions, Silent};
use dsh_fs_state::Store;

/// How many files there are, and how many of them in one directory.
pub(crate) const FILES: usize = 1_000;
const IN_ONE: usize = 50;

/// So little is kept in memory that it is full soon: memory must be flat from then on.
const HISTORY: u64 = 2 << 20;

/// A folder with a workspace, a database, old texts and the secret of versions, for one
/// process or for several.
pub(crate) struct Ground {
    folder: PathBuf,
    owned: Option<tempfile::TempDir>,
}

impl Ground {
    /// A fresh one. Every counter is 0.
    pub(crate) fn new() -> Self {
        let owned = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let ground = Self {
            folder: owned.path().canonicalize().expect("it exists"),
            owned: Some(owned),
        };
        for file in 0..FILES {
            let path = ground.file(file);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, content(0)).expect("a file");
        }
        let state = ground.folder.join("state");
        fs::create_dir(&state).expect("a folder");
        fs::set_permissions(&state, Permissions::from_mode(0o700)).expect("its own folder");
        ground
    }

    /// One that another process has made.
    pub(crate) fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            owned: None,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.owned
            .as_ref()
            .map_or(&self.folder, |owned| owned.path())
    }

    pub(crate) fn root(&self) -> String {
        let root = self.folder.join("ws");
        root.to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn file(&self, number: usize) -> PathBuf {
        self.folder.join("ws").join(name(number))
    }

    /// The counter of every file. A file that is not whole fails the test.
    pub(crate) fn counters(&self) -> Vec<i64> {
        let text = |number| fs::read_to_string(self.file(number)).expect("a text");
        (0..FILES).map(|number| counter(&text(number))).collect()
    }

    fn files(&self) -> Arc<SandboxedFileSystem> {
        let state = self.folder.join("state");
        let secret = VersionSecret::load_or_create(&state.join("secret")).expect("a secret");
        let local = LocalFileSystem::new(secret.clone(), PublishOptions::default());
        let limits = HistoryLimits {
            memory_bytes: HISTORY,
            ..HistoryLimits::default()
        };
        let history = History::in_folder(secret, limits, &state.join("history"));
        let files = SandboxedFileSystem::new(Arc::new(local), RootRules::workspace_only());
        Arc::new(files.with_history(Arc::new(history.expect("a folder of old texts"))))
    }

    /// What sessions start from that have nothing but files.
    pub(crate) fn options(&self) -> SessionOptions {
        SessionOptions {
            mode: Mode::WorkspaceWrite,
            cwd: Some(self.root()),
            ..SessionOptions::new(self.files(), self.root())
        }
    }

    /// A deployment with the database.
    pub(crate) fn harness(&self) -> Harness {
        let database = self.folder.join("state/state.db");
        Harness::open(HarnessOptions {
            transactions: None,
            files: self.files(),
            root: self.root(),
            mode: Mode::WorkspaceWrite,
            runtime: RuntimeOptions::default(),
            audit: Arc::new(Silent),
            store: Some(Store::open(&database).expect("a database")),
            deployment: Deployment {
                mode: Mode::WorkspaceWrite,
                temp_roots: false,
                ..Deployment::default()
            },
            shell: None,
        })
        .expect("a deployment")
    }
}

/// The path of a file below the workspace.
pub(crate) fn name(number: usize) -> String {
    format!("{}/f{number}.txt", directory(number))
}

/// The directory of a file.
pub(crate) fn directory(number: usize) -> String {
    format!("d{}", number / IN_ONE)
}

/// The file of a path.
pub(crate) fn number(path: &str) -> usize {
    let last = path.rsplit("/f").next().expect("a path of ours");
    let digits = last.trim_end_matches(".txt");
    digits.parse().expect("the number of a file")
}

/// What a file holds when its counter is this.
pub(crate) fn content(counter: i64) -> String {
    let lines = (1..=20).map(|line| format!("line {line} of a file whose counter is {counter}\n"));
    format!("{}{}", counter_line(counter), lines.collect::<String>())
}

/// The line that an edit replaces, and the first of those that follow.
pub(crate) fn counter_line(counter: i64) -> String {
    format!("counter: {counter}\n")
}

/// The counter of a whole content. The lines below it are as a write or an edit left them:
/// each must be whole.
pub(crate) fn counter(text: &str) -> i64 {
    let mut lines = text.lines();
    let first = lines.next().and_then(|line| line.strip_prefix("counter: "));
    let whole = |(number, line): (usize, &str)| {
        line.starts_with(&format!("line {number} of a file whose counter is "))
    };
    assert!(
        (1..).zip(lines).filter(|line| whole(*line)).count() == 20,
        "torn: {text}"
    );
    first.expect("a counter").parse().expect("a number")
}
