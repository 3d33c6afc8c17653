//! A deployment that is open.

use std::sync::Arc;

use dsh_fs::error::Error;
use dsh_fs::transaction::Recovered;
use dsh_fs_runtime::{
    Anchor, Approver, CallCode, CallError, ComponentSource, Runtime, SessionOptions,
};
use dsh_fs_state::{NewSession, SessionRecord, StateError, Store};

use crate::agent::Agent;
use crate::bash::Bash;
use crate::deployment::Deployment;
use crate::durable::{self, Durable};
use crate::error::HarnessError;
use crate::gate_room::GateRoom;
use crate::lanes::Lanes;
use crate::options::{AgentOptions, HarnessOptions};
use crate::recover::recover;
use crate::remember::Remembering;
use crate::wording;

/// A deployment that is open. Its sessions stand on one workspace, pinned when it opened.
pub struct Harness {
    options: HarnessOptions,
    deployment: Arc<Deployment>,
    runtime: Runtime,
    anchor: Anchor,
    gate: Arc<GateRoom>,
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
    /// [`HarnessError::Session`]: `UNKNOWN_SESSION`, where the session belongs to another
    /// directory; `FS_IO_ERROR`, of the database; `COMPONENT_TRAPPED`.
    pub fn agent(&self, name: &str, options: AgentOptions) -> Result<Agent, HarnessError> {
        self.start(name, options).map_err(HarnessError::Session)
    }

    fn start(&self, name: &str, options: AgentOptions) -> Result<Agent, CallError> {
        let approver = self.approver(name, &options);
        let kept = self.options.store.as_ref();
        let kept = kept.map(|store| self.take_up(store, name)).transpose()?;
        let seed = kept.as_ref().map(|(record, _)| record.seed);
        let session = self.session_options(name, seed, &options, approver.clone());
        let session = self.runtime.session(session)?;
        let newest_last = self.options.runtime.component == ComponentSource::Shipped;
        let durable = kept.map(|(_, durable)| durable);
        let lanes = Lanes::new(session, durable, newest_last)?;
        Ok(Agent::new(name, lanes, self.bash(name, approver)))
    }

    /// The session in the database: the one of this name, or a new one.
    fn take_up(&self, store: &Store, name: &str) -> Result<(SessionRecord, Durable), CallError> {
        let seed = dsh_fs_runtime::gate::Seed::random();
        let begun = store.start_session(&NewSession {
            name,
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
        Ok((
            record,
            Durable::new(store.clone(), name, Arc::clone(&self.deployment)),
        ))
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

    fn approver(&self, name: &str, options: &AgentOptions) -> Option<Arc<dyn Approver>> {
        let approver = Remembering {
            person: options.approver.clone(),
            store: self.options.store.clone(),
            deployment: Arc::clone(&self.deployment),
            session: name.to_owned(),
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
