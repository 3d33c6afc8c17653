//! What a session knows: its configuration, its mode, what it has seen, and the files
//! under the policy of the moment.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use crate::bindings::dsh::fs::filesystem::{self, Files};
use crate::bindings::dsh::fs::observation::{self, Ledger};
use crate::bindings::dsh::fs::sandbox::{self, PolicyInputs};
use crate::bindings::dsh::fs::types::{
    EditGuard, Error, ExecutionPolicy, ModeEvent, ModeSource, Prior, Report, SandboxMode, Target,
    WriteGuard,
};
use crate::bindings::exports::dsh::fs::tools::SessionConfig;

/// One agent's session.
pub(crate) struct Session {
    config: SessionConfig,
    /// Nothing where the session has no id: then everything is unseen.
    ledger: Option<Ledger>,
    changing: RefCell<Changing>,
}

/// The part that a change of mode replaces.
struct Changing {
    events: Vec<ModeEvent>,
    policy: Rc<ExecutionPolicy>,
    /// Kept open from call to call, since opening costs more than a small read.
    files: Option<Rc<OpenFiles>>,
}

/// Files under one policy, and the directory of relative paths.
pub(crate) struct OpenFiles {
    files: Files,
    base: String,
}

impl OpenFiles {
    /// The provider's methods.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Finds out which file a path means.
    pub(crate) fn resolve(&self, path: &str) -> Result<Target, Error> {
        self.files.resolve(path, Some(&self.base))
    }
}

impl Session {
    /// A session that has seen nothing.
    pub(crate) fn start(config: SessionConfig) -> Self {
        let ledger = config
            .session_id
            .as_ref()
            .map(|_| Ledger::new(config.seed, config.ledger_capacity));
        Self::with(config, ledger, Vec::new())
    }

    /// A session for a sub-agent, with what this one knows and its mode.
    pub(crate) fn fork(&self, session_id: Option<String>) -> Self {
        let mode = self.session_mode();
        let inherited = mode.map(|mode| ModeEvent {
            mode,
            source: ModeSource::Delegation,
        });
        let config = SessionConfig {
            session_id,
            ..self.config.clone()
        };
        match (&config.session_id, &self.ledger) {
            (Some(_), Some(ledger)) => {
                let ledger = ledger.fork();
                Self::with(config, Some(ledger), inherited.into_iter().collect())
            }
            _ => {
                let fresh = Self::start(config);
                inherited
                    .into_iter()
                    .for_each(|event| fresh.mode_changed(event));
                fresh
            }
        }
    }

    fn with(config: SessionConfig, ledger: Option<Ledger>, events: Vec<ModeEvent>) -> Self {
        let policy = Rc::new(resolve_policy(&config, &events, None));
        Self {
            config,
            ledger,
            changing: RefCell::new(Changing {
                events,
                policy,
                files: None,
            }),
        }
    }

    /// How the session was configured.
    pub(crate) fn config(&self) -> &SessionConfig {
        &self.config
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
        let base = self.base_of_names(&files, &changing.policy);
        let files = Rc::new(OpenFiles { files, base });
        changing.files = Some(Rc::clone(&files));
        Ok(files)
    }

    /// The directory of relative paths. Under confinement it is the canonical one, so
    /// that names and limits follow the same directory.
    fn base_of_names(&self, files: &Files, policy: &ExecutionPolicy) -> String {
        let root = &policy.workspace_root;
        let canonical = || {
            let target = files.resolve(root, None).ok()?;
            files.process_path(&target.key).ok()
        };
        let canonical = if self.config.confined {
            canonical()
        } else {
            None
        };
        canonical.unwrap_or_else(|| root.clone())
    }

    /// What a write of this target must demand.
    pub(crate) fn write_intent(&self, target: &Target) -> WriteGuard {
        match &self.ledger {
            Some(ledger) => ledger.write_intent(&target.key),
            None => observation::decide_write(&Prior::Unseen),
        }
    }

    /// What an edit of this target must demand.
    pub(crate) fn edit_intent(&self, target: &Target) -> Result<EditGuard, Error> {
        match &self.ledger {
            Some(ledger) => ledger.edit_intent(target),
            None => observation::decide_edit(target, &Prior::Unseen),
        }
    }

    /// Records what was just seen. A session without an id records nothing.
    pub(crate) fn observe(&self, key: &str, prior: &Prior) {
        if let Some(ledger) = &self.ledger {
            ledger.observe(key, prior);
        }
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

    /// One page of what was seen.
    pub(crate) fn snapshot(&self, page: u32) -> Option<String> {
        self.ledger.as_ref()?.snapshot(page)
    }

    /// Takes one page of a snapshot in.
    pub(crate) fn restore(&self, page: &str) -> Result<(), String> {
        match &self.ledger {
            Some(ledger) => ledger.restore(page),
            None => Err("a session without an id remembers nothing".to_owned()),
        }
    }

    fn session_mode(&self) -> Option<SandboxMode> {
        sandbox::fold_mode_events(&self.changing().events)
    }

    fn changing(&self) -> RefMut<'_, Changing> {
        self.changing.borrow_mut()
    }
}

/// A session without an id is nobody's: the directory of a session is not its own.
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
