//! A workspace, a directory outside, an audit that is kept, and a person who answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_runtime::{
    Approver, AuditSink, Decision, Question, Record, Runtime, RuntimeOptions, Session,
    SessionOptions,
};

/// The component that ships, made ready once.
pub(crate) static SHIPPED: LazyLock<Runtime> =
    LazyLock::new(|| Runtime::new(RuntimeOptions::default()).expect("the shipped component"));

/// Two directories beside each other; only one is a workspace.
pub(crate) struct Workspace {
    folder: tempfile::TempDir,
    files: Arc<SandboxedFileSystem>,
    secret: VersionSecret,
    pub(crate) audit: Arc<Kept>,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self::with(|_| None)
    }

    /// One whose old texts are kept in memory.
    pub(crate) fn remembering() -> Self {
        Self::with(|secret| Some(History::in_memory(secret, HistoryLimits::default())))
    }

    fn with(history: impl FnOnce(VersionSecret) -> Option<History>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["ws", "out"] {
            fs::create_dir(folder.path().join(name)).expect("a fresh directory");
        }
        let secret = VersionSecret::random().expect("random bytes");
        let local = LocalFileSystem::new(secret.clone(), PublishOptions::default());
        let mut files = SandboxedFileSystem::new(Arc::new(local), RootRules::workspace_only());
        if let Some(history) = history(secret.clone()) {
            files = files.with_history(Arc::new(history));
        }
        Self {
            folder,
            files: Arc::new(files),
            secret,
            audit: Arc::default(),
        }
    }

    /// Under which versions are made.
    pub(crate) fn secret(&self) -> VersionSecret {
        self.secret.clone()
    }

    pub(crate) fn base(&self) -> PathBuf {
        let base = self.folder.path();
        base.canonicalize().expect("it exists")
    }

    pub(crate) fn inside(&self, name: &str) -> String {
        text(&self.base().join("ws").join(name))
    }

    pub(crate) fn outside(&self, name: &str) -> String {
        text(&self.base().join("out").join(name))
    }

    /// A confined session with an id, under this mode, whose root is the workspace alone.
    pub(crate) fn options(&self, mode: Mode) -> SessionOptions {
        SessionOptions {
            id: Some("s1".into()),
            mode,
            audit: self.audit.clone(),
            ..SessionOptions::new(self.files.clone(), text(&self.base().join("ws")))
        }
    }

    pub(crate) fn session(&self, mode: Mode) -> Session {
        SHIPPED.session(self.options(mode)).expect("a session")
    }
}

pub(crate) fn text(path: &Path) -> String {
    path.to_str().expect("plain names").to_owned()
}

/// Keeps every event as JSON.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Vec<String>>);

impl AuditSink for Kept {
    fn record(&self, record: &Record<'_>) {
        let json = serde_json::to_string(record).expect("plain values");
        self.0.lock().expect("no test panics in here").push(json);
    }
}

impl Kept {
    /// Every event, in order.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().expect("no test panics in here").clone()
    }

    /// The bytes of the longest event.
    pub(crate) fn longest(&self) -> usize {
        let lengths = self.lines().into_iter().map(|line| line.len());
        lengths.max().unwrap_or_default()
    }

    /// How many events hold all of these words.
    pub(crate) fn count(&self, words: &[&str]) -> usize {
        let events = self.0.lock().expect("no test panics in here");
        let all = |event: &&String| words.iter().all(|word| event.contains(word));
        events.iter().filter(all).count()
    }
}

/// Gives one answer to everything, and keeps the questions.
pub(crate) struct Person {
    decision: Decision,
    pub(crate) asked: Mutex<Vec<Question>>,
}

impl Person {
    pub(crate) fn who(decision: Decision) -> Arc<Self> {
        Arc::new(Self {
            decision,
            asked: Mutex::default(),
        })
    }

    pub(crate) fn questions(&self) -> Vec<Question> {
        self.asked.lock().expect("no test panics in here").clone()
    }
}

impl Approver for Person {
    fn ask(&self, question: &Question) -> Decision {
        let mut asked = self.asked.lock().expect("no test panics in here");
        asked.push(question.clone());
        self.decision
    }
}
