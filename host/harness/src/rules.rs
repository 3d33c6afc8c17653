//! What the deployment says of one session, before anybody is asked.

use std::sync::Arc;

use dsh_fs::types::Mode;

use crate::deployment::{Deployment, MayEscalate};

/// What the deployment says of one session.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) deployment: Arc<Deployment>,
    pub(crate) session: String,
    /// The session that it was named by, whose rules hold as well.
    pub(crate) named_by: Option<String>,
}

impl Rules {
    /// What becomes of a request for a wider mode.
    pub(crate) fn may_escalate(&self, to: Mode) -> MayEscalate {
        let own = self.deployment.may_escalate(&self.session, to);
        let named_by = self.named_by.as_ref();
        let above = named_by.map(|name| self.deployment.may_escalate(name, to));
        above.map_or(own, |above| own.stricter(above))
    }

    /// A mode that the file of the deployment grants this session to nobody counts for
    /// nothing, whoever wrote it into the database.
    pub(crate) fn capped(&self, mode: Mode) -> Mode {
        let deployment = &self.deployment;
        let never = || self.may_escalate(mode) == MayEscalate::Never;
        match mode > deployment.mode && deployment.file.is_some() && never() {
            true => deployment.mode,
            false => mode,
        }
    }
}
