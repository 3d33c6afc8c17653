//! The sessions of one run, made when they are first named.

use std::collections::HashMap;

use dsh_fs::sandbox::Guarding;
use dsh_fs_harness::{Agent, AgentOptions, Harness, HarnessError};
use dsh_fs_runtime::{CallCode, CallError};

use crate::approve::approver;
use crate::args::RunArgs;
use crate::exit::Failure;
use crate::setup::{Setup, no_session};

/// The most sessions of one run. Each takes about eight memory maps, of which Linux gives
/// a process 65,530 unless it is told otherwise.
const MOST: usize = 4_096;

/// The sessions of one run. They stand on one workspace, pinned when the run began.
pub(crate) struct Sessions {
    harness: Harness,
    options: AgentOptions,
    default: String,
    open: HashMap<String, Agent>,
}

impl Sessions {
    /// The session of calls that name none. Whatever keeps it from starting is said before
    /// the first call is read.
    pub(crate) fn new(args: &RunArgs) -> Result<Self, Failure> {
        let mut sessions = Self {
            harness: setup(args).start()?,
            options: AgentOptions {
                approver: approver(args.approve, &args.deployment)?,
                guarding: match args.bare {
                    true => Guarding::Bare,
                    false => Guarding::Required,
                },
                named_by: None,
            },
            default: args.session.clone().unwrap_or_else(|| "main".into()),
            open: HashMap::new(),
        };
        let first = sessions.default.clone();
        sessions.start(&first).map_err(no_session)?;
        Ok(sessions)
    }

    /// The session of this name. One that cannot be started fails its own call alone.
    pub(crate) fn of(&mut self, name: Option<&str>) -> Result<&Agent, CallError> {
        let name = name.unwrap_or(&self.default).to_owned();
        if !self.open.contains_key(&name) {
            if self.open.len() >= MOST {
                let why = format!("this run has {MOST} sessions already, and takes no more");
                return Err(CallError::of_call(CallCode::UnknownSession, why));
            }
            self.start(&name).map_err(HarnessError::into_call)?;
        }
        Ok(&self.open[&name])
    }

    fn start(&mut self, name: &str) -> Result<(), HarnessError> {
        let mut options = self.options.clone();
        // The input picks sessions, and with them no rule that lets more through.
        options.named_by = (name != self.default).then(|| self.default.clone());
        let agent = self.harness.agent(name, options)?;
        self.open.insert(name.to_owned(), agent);
        Ok(())
    }
}

fn setup(args: &RunArgs) -> Setup<'_> {
    Setup {
        deployment: &args.deployment,
        components: &args.components,
        keeping: Some(&args.keeping),
        lasting: args.session.is_some() && !args.ephemeral,
        in_place: args.in_place,
        no_history: args.no_history,
        old_texts: None,
    }
}
