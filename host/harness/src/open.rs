//! A deployment that is open.

use std::sync::Arc;

use dsh_fs::error::Error;
use dsh_fs::transaction::Recovered;
use dsh_fs_runtime::{
    Anchor, Approver, AuditSink, CallCode, CallError, ComponentSource, Runtime, SessionOptions,
};
use dsh_fs_state::{NewSession, SessionRecord, StateError, Store};

use crate::agent::Agent;
use crate::answers::Answers;
use crate::bash::Bash;
use crate::deployment::{AuditFailure, Deployment};
use crate::durable::{self, Durable};
use crate::error::HarnessError;
use crate::gate_room::GateRoom;
use crate::lanes::Lanes;
use crate::options::{AgentOptions, HarnessOptions};
use crate::recover::recover;
use crate::remember::Remembering;
use crate::rules::Rules;
use crate::wording;

/// A deployment that is open. Its sessions stand on one workspace, pinned when it opened.
pub struct Harness {
    options: HarnessOptions,
    deployment: Arc<Deployment>,
    runtime: Runtime,
    anchor: Anchor,
    gate: Arc<GateRoom>,
    answers: Arc<Answers>,
}

impl Harness {
    /// Opens a deployment: the workspace is examined and pinned, the component loaded.
    ///
    /// # Errors
    /// [`HarnessError`].
    pub fn open(options: HarnessOptions) -> Result<Self, HarnessError> {
        let anchor = Anchor::pin(&options.files, &options.root).map_err(HarnessError::Workspace)?;
        let runtime = Runtime::new(options.runtime.clone())?;
        Ok(Self {
            deployment: Arc::new(options.deployment.clone()),
            gate: Arc::new(GateRoom::new(options.runtime.clone())),
            answers: Arc::new(Answers::new(options.store.clone(), anchor.identity())),
            options,
            runtime,
            anchor,
        })
    }

    /// Rolls back what a crash interrupted; see [`recover`]. To be called before the first
    /// session.
    ///
    /// # Errors
    /// `FS_IO_ERROR`: the folder of the journals cannot be listed.
    pub fn recover(&self) -> Result<Vec<Recovered>, Error> {
        let HarnessOptions { files, audit, .. } = &self.options;
        match &self.options.transactions {
            Some(transactions) => recover(transactions, files, audit.as_ref()),
            None => Ok(Vec::new()),
        }
    }

    /// The database, where there is one.
    #[must_use]
    pub fn store(&self) -> Option<&Store> {
        self.options.store.as_ref()
    }

    /// The session of this name: taken up where it was left, or one that has seen nothing.
    /// One that began in another directory is refused: its directory never changes.
    ///
    /// # Errors
    /// [`HarnessError::Database`]: `UNKNOWN_SESSION`, where the session belongs to another
    /// directory; `FS_IO_ERROR`. [`HarnessError::Session`]: `COMPONENT_TRAPPED`.
    pub fn agent(&self, name: &str, options: AgentOptions) -> Result<Agent, HarnessError> {
        let rules = Rules {
            deployment: Arc::clone(&self.deployment),
            session: name.to_owned(),
            named_by: options.named_by.clone(),
        };
        let approver = self.approver(&rules, &options);
        let kept = self.options.store.as_ref();
        let kept = kept.map(|store| self.take_up(store, &rules)).transpose();
        let kept = kept.map_err(HarnessError::Database)?;
        let seed = kept.as_ref().map(|(record, _)| record.seed);
        let session = self.session_options(name, seed, &options, approver.clone());
        let session = self
            .runtime
            .session(session)
            .map_err(HarnessError::Session)?;
        let newest_last = self.options.runtime.component == ComponentSource::Shipped;
        let durable = kept.map(|(_, durable)| durable);
        let lanes = Lanes::new(session, durable, newest_last).map_err(HarnessError::of_start)?;
        let (bash, recorded) = (self.bash(name, approver), self.recorded());
        Ok(Agent::new(name, lanes, bash, recorded))
    }

    /// The audit, where nothing is to be changed without it.
    fn recorded(&self) -> Option<Arc<dyn AuditSink>> {
        let refuse = self.deployment.audit_failure == AuditFailure::Refuse;
        refuse.then(|| Arc::clone(&self.options.audit))
    }

    /// The session in the database: the one of this name, or a new one.
    fn take_up(&self, store: &Store, rules: &Rules) -> Result<(SessionRecord, Durable), CallError> {
        let seed = dsh_fs_runtime::gate::Seed::random();
        let begun = store.start_session(&NewSession {
            name: &rules.session,
            cwd: self.anchor.root(),
            mode: self.options.mode,
            seed: (seed.low, seed.high),
        });
        let record = begun.map_err(|error| match error {
            StateError::SessionElsewhere { .. } => {
                let why = wording::elsewhere(&error.to_string());
                CallError::of_call(CallCode::UnknownSession, why)
            }
            error => durable::failed(&error),
        })?;
        Ok((record, Durable::new(store.clone(), rules.clone())))
    }

    fn session_options(
        &self,
        name: &str,
        seed: Option<(u64, u64)>,
        options: &AgentOptions,
        approver: Option<Arc<dyn Approver>>,
    ) -> SessionOptions {
        let (files, root) = (&self.options.files, &self.options.root);
        SessionOptions {
            id: Some(name.to_owned()),
            cwd: Some(root.clone()),
            anchor: Some(self.anchor.clone()),
            mode: self.options.mode,
            guarding: options.guarding,
            approver,
            audit: Arc::clone(&self.options.audit),
            seed,
            transactions: self.options.transactions.clone(),
            ..SessionOptions::new(Arc::clone(files), root.clone())
        }
    }

    fn approver(&self, rules: &Rules, options: &AgentOptions) -> Option<Arc<dyn Approver>> {
        let approver = Remembering {
            person: options.approver.clone(),
            answers: Arc::clone(&self.answers),
            rules: rules.clone(),
            audit: Arc::clone(&self.options.audit),
        };
        let useful = approver.could_say_yes();
        useful.then(|| Arc::new(approver) as Arc<dyn Approver>)
    }

    fn bash(&self, name: &str, approver: Option<Arc<dyn Approver>>) -> Bash {
        Bash {
            shell: self.options.shell.clone(),
            gate: Arc::clone(&self.gate),
            root: self.anchor.root().to_owned(),
            session: name.to_owned(),
            approver,
            audit: Arc::clone(&self.options.audit),
        }
    }
}
