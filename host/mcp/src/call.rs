//! Running tool calls beside one another, off the loop that serves.

use std::future::Future;
use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs_harness::{Agent, CallContext};
use dsh_fs_runtime::Answer;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::{Mutex, Semaphore};

use crate::{approval, progress};

/// The most reads and lists that run at once; more wait without a thread.
const READS: u32 = 32;

/// The calls of one client.
pub(crate) struct Calls {
    reads: Semaphore,
    /// Mutations wait in the order in which they came.
    mutations: Mutex<()>,
}

/// The call was cancelled before it began, or broke.
#[derive(Debug)]
pub(crate) enum NotRun {
    /// The client withdrew it.
    Cancelled,
    /// It panicked.
    Broken(String),
}

impl Calls {
    pub(crate) fn new() -> Self {
        Self {
            reads: Semaphore::new(READS as usize),
            mutations: Mutex::new(()),
        }
    }

    /// Waits until no call runs.
    pub(crate) async fn finish(&self) {
        let _mutations = self.mutations.lock().await;
        let reads = self.reads.acquire_many(READS).await;
        drop(reads.expect("the semaphore is never closed"));
    }

    /// Runs a tool when it may.
    pub(crate) async fn run(
        &self,
        agent: &Arc<Agent>,
        call: Call,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answer, NotRun> {
        let _turn = tokio::select! {
            turn = self.turn(call.reads_only) => turn,
            () = context.ct.cancelled() => return Err(NotRun::Cancelled),
        };
        let cancel = Cancel::new();
        let token = context.meta.get_progress_token();
        let work = run_apart(Arc::clone(agent), call, cancel.clone());
        let work = withdrawn_on(context.ct.cancelled(), work, &cancel);
        progress::told_while(work, token, &context.peer, &cancel).await
    }

    async fn turn(&self, reads_only: bool) -> Turn<'_> {
        if reads_only {
            let read = self.reads.acquire().await;
            Turn::Read(read.expect("the semaphore is never closed"))
        } else {
            Turn::Mutation(self.mutations.lock().await)
        }
    }
}

/// A tool with its arguments.
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) args: Value,
    pub(crate) reads_only: bool,
}

/// The right to run, until it is dropped.
#[allow(dead_code, reason = "held, and never looked at")]
enum Turn<'a> {
    Read(tokio::sync::SemaphorePermit<'a>),
    Mutation(tokio::sync::MutexGuard<'a, ()>),
}

/// Runs a call on a thread that may block.
async fn run_apart(agent: Arc<Agent>, call: Call, cancel: Cancel) -> Result<Answer, NotRun> {
    let work = tokio::task::spawn_blocking(move || {
        let context = CallContext {
            cancel: cancel.clone(),
        };
        approval::asking_under(&cancel, || agent.call(call.tool, &call.args, &context))
    });
    work.await
        .map_err(|error| NotRun::Broken(error.to_string()))
}

/// Raises the flag when the client withdraws the call, and waits for the call to end.
async fn withdrawn_on<T>(
    withdrawn: impl Future<Output = ()>,
    work: impl Future<Output = T>,
    cancel: &Cancel,
) -> T {
    tokio::pin!(work);
    tokio::select! {
        result = &mut work => return result,
        () = withdrawn => {}
    }
    cancel.cancel();
    work.await
}
