//! A session: its configuration, its mode, its memory, and the files under the policy of
//! the moment.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use crate::bindings::dsh::fs::filesystem::{self, Files};
use crate::bindings::dsh::fs::sandbox::{self, PolicyInputs};
use crate::bindings::dsh::fs::types::{
    Error, ExecutionPolicy, ModeEvent, ModeSource, Report, SandboxMode, Target,
};
use crate::bindings::exports::dsh::fs::tools::SessionConfig;
use crate::memory::Memory;

/// One agent's session.
pub(crate) struct Session {
    config: SessionConfig,
    memory: Memory,
    changing: RefCell<Changing>,
}

/// The part that a change of mode replaces.
struct Changing {
    events: Vec<ModeEvent>,
    policy: Rc<ExecutionPolicy>,
    /// Kept open from call to call, since opening costs more than a small read.
    files: Option<Rc<OpenFiles>>,
}

/// Files under one policy, and the directory of relative paths where it is not the root
/// of the policy.
pub(crate) struct OpenFiles {
    files: Files,
    base: Option<String>,
}

impl OpenFiles {
    /// The provider's methods.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Finds out which file a path means.
    pub(crate) fn resolve(&self, path: &str) -> Result<Target, Error> {
        self.files.resolve(path, self.base.as_deref())
    }
}

impl Session {
    /// A session that has seen nothing.
    pub(crate) fn start(config: SessionConfig) -> Self {
        let owner = config.session_id.as_deref();
        let memory = Memory::new(owner, config.seed, config.ledger_capacity);
        Self::with(config, memory, Vec::new())
    }

    /// A session for a sub-agent, with what this one knows and its mode.
    pub(crate) fn fork(&self, session_id: Option<String>) -> Self {
        let config = SessionConfig {
            session_id,
            ..self.config.clone()
        };
        let owner = config.session_id.as_deref();
        let memory = owner
            .and_then(|_| self.memory.fork())
            .unwrap_or_else(|| Memory::new(owner, config.seed, config.ledger_capacity));
        let mode = sandbox::fold_mode_events(&self.changing().events);
        let inherited = mode.map(|mode| ModeEvent {
            mode,
            source: ModeSource::Delegation,
        });
        Self::with(config, memory, inherited.into_iter().collect())
    }

    fn with(config: SessionConfig, memory: Memory, events: Vec<ModeEvent>) -> Self {
        let policy = Rc::new(resolve_policy(&config, &events, None));
        let changing = Changing {
            events,
            policy,
            files: None,
        };
        Self {
            config,
            memory,
            changing: RefCell::new(changing),
        }
    }

    /// How the session was configured.
    pub(crate) fn config(&self) -> &SessionConfig {
        &self.config
    }

    /// What the session has seen.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Takes in a change of mode. The files are opened anew when they are next needed.
    pub(crate) fn mode_changed(&self, event: ModeEvent) {
        let mut changing = self.changing();
        changing.events.push(event);
        changing.policy = Rc::new(resolve_policy(&self.config, &changing.events, None));
        changing.files = None;
    }

    /// The policy of a call without escalation.
    pub(crate) fn current_policy(&self) -> Rc<ExecutionPolicy> {
        Rc::clone(&self.changing().policy)
    }

    /// The policy of a call for which a person approved a mode.
    pub(crate) fn approved_policy(&self, mode: SandboxMode) -> ExecutionPolicy {
        resolve_policy(&self.config, &self.changing().events, Some(mode))
    }

    /// The files under the policy of a call without escalation.
    pub(crate) fn files(&self) -> Result<Rc<OpenFiles>, Error> {
        let mut changing = self.changing();
        if let Some(files) = &changing.files {
            return Ok(Rc::clone(files));
        }
        let files = filesystem::open(&changing.policy, None)?;
        let base = self.base_of_names(&files, &changing.policy.workspace_root);
        let files = Rc::new(OpenFiles { files, base });
        changing.files = Some(Rc::clone(&files));
        Ok(files)
    }

    /// The directory of relative paths. Under confinement it is the canonical root, so
    /// that names and limits follow the same directory; otherwise it stays as spelled.
    fn base_of_names(&self, files: &Files, root: &str) -> Option<String> {
        if !self.config.confined {
            return Some(root.to_owned());
        }
        let target = files.resolve(root, None).ok()?;
        let canonical = files.process_path(&target.key).ok()?;
        (canonical != root).then_some(canonical)
    }

    /// What the answer of a mutation should carry.
    pub(crate) fn report(&self) -> Report {
        let mut report = Report::empty();
        report.set(Report::HUNKS, self.config.report_hunks);
        report.set(Report::TEXTS, self.config.report_texts);
        report
    }

    /// The sentence that describes the policy to a model.
    pub(crate) fn policy_text(&self) -> String {
        match self.config.session_id {
            Some(_) => sandbox::describe_policy(&self.current_policy()),
            None => String::new(),
        }
    }

    fn changing(&self) -> RefMut<'_, Changing> {
        self.changing.borrow_mut()
    }
}

/// A session without an id is nobody's, and its directory is not used.
fn resolve_policy(
    config: &SessionConfig,
    events: &[ModeEvent],
    approved: Option<SandboxMode>,
) -> ExecutionPolicy {
    let owned = config.session_id.is_some();
    sandbox::resolve_policy(&PolicyInputs {
        approved,
        session_mode: sandbox::fold_mode_events(events),
        default_mode: config.default_mode,
        session_cwd: config.cwd.clone().filter(|_| owned),
        configured_root: config.configured_root.clone(),
        session_id: config.session_id.clone(),
    })
}
