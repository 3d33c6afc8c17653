//! One session, as several threads call it.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};

use dsh_fs_harness::{Agent, AgentOptions, CallContext, Harness};
use dsh_fs_runtime::{Answer, Runtime, RuntimeOptions, Session, SessionOptions};
use serde_json::Value;

use super::ground::{FILES, Ground};

/// The component that ships, made ready once.
static SHIPPED: LazyLock<Runtime> =
    LazyLock::new(|| Runtime::new(RuntimeOptions::default()).expect("the shipped component"));

/// A session, and what its model believes about the counters.
pub(crate) struct Actor {
    pub(crate) name: String,
    caller: Caller,
    known: Mutex<Known>,
    /// Whether another process calls the same session.
    pub(crate) is_shared: bool,
}

/// The counter of each file that was seen.
pub(crate) type Known = Vec<Option<i64>>;

enum Caller {
    Session(Box<Mutex<Session>>),
    Agent(Box<Agent>),
}

impl Actor {
    pub(crate) fn session(ground: &Ground, number: usize) -> Self {
        let name = format!("s{number}");
        let options = SessionOptions {
            id: Some(name.clone()),
            ..ground.options()
        };
        let session = SHIPPED.session(options).expect("a session");
        Self::new(name, Caller::Session(Box::new(Mutex::new(session))))
    }

    pub(crate) fn agent(harness: &Harness, name: &str) -> Self {
        let agent = harness.agent(name, AgentOptions::default());
        let agent = agent.expect("an agent");
        Self::new(name.to_owned(), Caller::Agent(Box::new(agent)))
    }

    fn new(name: String, caller: Caller) -> Self {
        Self {
            name,
            caller,
            known: Mutex::new(vec![None; FILES]),
            is_shared: false,
        }
    }

    /// Another process calls the same session: what was read here may have been overtaken
    /// there, so that only edits, which say what they replace, tell what was done.
    pub(crate) fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }

    /// Its turn to change something, where no other thread has it.
    pub(crate) fn try_turn(&self) -> Option<MutexGuard<'_, Known>> {
        match self.known.try_lock() {
            Ok(known) => Some(known),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        }
    }

    /// Whether calls may come while another one runs.
    pub(crate) fn is_agent(&self) -> bool {
        matches!(self.caller, Caller::Agent(_))
    }

    pub(crate) fn call(&self, tool: &str, args: &Value) -> Answer {
        match &self.caller {
            Caller::Session(session) => session
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .call(tool, args),
            Caller::Agent(agent) => agent.call(tool, args, &CallContext::default()),
        }
    }
}
