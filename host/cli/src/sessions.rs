//! The sessions of one run, made when they are first named.

use std::collections::HashMap;
use std::sync::Arc;

use dsh_fs::sandbox::Guarding;
use dsh_fs_runtime::{Approver, CallCode, CallError, Runtime, Session};

use crate::approve::approver;
use crate::args::RunArgs;
use crate::exit::Failure;
use crate::setup::{Ground, no_session, runtime};

/// The most sessions of one run. Each takes about eight memory maps, of which Linux gives
/// a process 65,530 unless it is told otherwise.
const MOST: usize = 4_096;

/// The sessions of one run. They stand on one workspace, pinned when the run began.
pub(crate) struct Sessions {
    ground: Ground,
    runtime: Runtime,
    guarding: Guarding,
    approver: Option<Arc<dyn Approver>>,
    default: String,
    open: HashMap<String, Session>,
}

impl Sessions {
    /// The session of calls that name none. Whatever keeps it from starting is said before
    /// the first call is read.
    pub(crate) fn new(args: &RunArgs) -> Result<Self, Failure> {
        let mut sessions = Self {
            ground: Ground::running(args)?,
            runtime: runtime(&args.components)?,
            guarding: if args.bare {
                Guarding::Bare
            } else {
                Guarding::Required
            },
            approver: approver(args.approve),
            default: args.session.clone(),
            open: HashMap::new(),
        };
        sessions.of(None).map_err(no_session)?;
        Ok(sessions)
    }

    /// The session of this name. One that cannot be started fails its own call alone.
    pub(crate) fn of(&mut self, name: Option<&str>) -> Result<&mut Session, CallError> {
        let name = name.unwrap_or(&self.default).to_owned();
        if !self.open.contains_key(&name) {
            if self.open.len() >= MOST {
                let why = format!("this run has {MOST} sessions already, and takes no more");
                return Err(CallError::of_call(CallCode::UnknownSession, why));
            }
            let approver = self.approver.clone();
            let session = self
                .ground
                .session(&self.runtime, &name, self.guarding, approver)?;
            self.open.insert(name.clone(), session);
        }
        Ok(self.open.get_mut(&name).expect("it was put there just now"))
    }
}
