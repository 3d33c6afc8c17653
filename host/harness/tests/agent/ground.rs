//! A workspace, what stands on it, and people who answer.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use dsh_fs::history::{History, HistoryLimits};
use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_confine::{Backend, Environment, Shell, ShellOptions};
use dsh_fs_harness::deployment::Deployment;
use dsh_fs_harness::{Agent, AgentOptions, CallContext, Harness, HarnessOptions, ShellAccess};
use dsh_fs_runtime::{Answer, Approver, Decision, Question, RuntimeOptions, Silent};
use dsh_fs_state::Store;
use serde_json::Value;

/// A folder with a workspace in it, and a database where it is wanted.
pub(crate) struct Ground {
    folder: tempfile::TempDir,
    pub(crate) deployment: Deployment,
    pub(crate) backend: Backend,
    secret: VersionSecret,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        std::fs::create_dir(folder.path().join("ws")).expect("a workspace");
        Self {
            folder,
            deployment: Deployment {
                mode: Mode::WorkspaceWrite,
                temp_roots: false,
                ..Deployment::default()
            },
            backend: Backend::Auto,
            secret: VersionSecret::random().expect("random bytes"),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        let base = self.folder.path().canonicalize().expect("it exists");
        base.join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path("ws").join(name), content).expect("a file");
    }

    pub(crate) fn content(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("ws").join(name)).expect("a text")
    }

    pub(crate) fn store(&self) -> Store {
        let folder = self.path("state");
        std::fs::create_dir_all(&folder).expect("a folder");
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(&folder, private).expect("its own folder");
        Store::open(&folder.join("state.db")).expect("a database")
    }

    /// A deployment that is open, as another process would open it.
    pub(crate) fn harness(&self, store: Option<Store>) -> Harness {
        let secret = self.secret.clone();
        let local = LocalFileSystem::new(secret.clone(), PublishOptions::default());
        let rules = self.deployment.rules(None).expect("its rules");
        let history = History::in_memory(secret, HistoryLimits::default());
        let files = SandboxedFileSystem::new(Arc::new(local), rules);
        let shell = Shell::new(ShellOptions {
            backend: self.backend.clone(),
            ..ShellOptions::default()
        });
        let path = [("PATH".into(), "/usr/bin:/bin".into())];
        Harness::open(HarnessOptions {
            files: Arc::new(files.with_history(Arc::new(history))),
            root: self.path("ws").to_str().expect("UTF-8").to_owned(),
            mode: self.deployment.mode,
            runtime: RuntimeOptions::default(),
            transactions: None,
            audit: Arc::new(Silent),
            store,
            deployment: self.deployment.clone(),
            shell: Some(ShellAccess::new(
                Arc::new(shell),
                Environment::exactly(path),
            )),
        })
        .expect("a deployment")
    }
}

pub(crate) fn agent(harness: &Harness, person: Option<Arc<dyn Approver>>) -> Agent {
    let options = AgentOptions {
        approver: person,
        ..AgentOptions::default()
    };
    harness.agent("s", options).expect("a session")
}

pub(crate) fn call(agent: &Agent, tool: &str, args: Value) -> Answer {
    agent.call(tool, &args, &CallContext::default())
}

/// Answers the same each time, and counts.
pub(crate) struct Person {
    answer: Decision,
    asked: Mutex<Vec<Question>>,
}

impl Person {
    pub(crate) fn who_says(answer: Decision) -> Arc<Self> {
        Arc::new(Self {
            answer,
            asked: Mutex::default(),
        })
    }

    pub(crate) fn asked(&self) -> Vec<Question> {
        self.asked.lock().expect("nobody panicked").clone()
    }
}

impl Approver for Person {
    fn ask(&self, question: &Question) -> Decision {
        let mut asked = self.asked.lock().expect("nobody panicked");
        asked.push(question.clone());
        self.answer
    }
}

/// Thinks until it is told what to say.
pub(crate) struct Slow {
    asked: Sender<()>,
    answer: Mutex<Receiver<Decision>>,
}

impl Slow {
    /// The person, what tells of a question, and where the answer goes.
    pub(crate) fn new() -> (Arc<Self>, Receiver<()>, Sender<Decision>) {
        let (asked, questions) = channel();
        let (answers, answer) = channel();
        let answer = Mutex::new(answer);
        (Arc::new(Self { asked, answer }), questions, answers)
    }
}

impl Approver for Slow {
    fn ask(&self, _question: &Question) -> Decision {
        self.asked.send(()).expect("the test listens");
        let answer = self.answer.lock().expect("nobody panicked");
        answer.recv().expect("the test answers")
    }
}
