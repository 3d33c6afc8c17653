//! One agent: a store of its own, the component in it, and the tools.

mod memory;
mod multi;
mod narrow;
mod reader;
mod start;
mod undo;

use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::name::shown;
use dsh_fs::types::{ExecutionPolicy, Mode};
use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::answer::Weight;
use crate::audit::Event;
use crate::bindings::tools::{self, Failure, Guest, GuestSession};
use crate::bindings::types;
use crate::ceiling::Ceiling;
use crate::failure::{CallCode, CallError};
use crate::options::{ModeSource, SessionOptions};
use crate::request::Request;
use crate::runtime::Prepared;
use crate::state::{self, State};
use crate::trap;
use crate::verbs::{
    ChangeAnswer, EditArgs, Escalation, ListAnswer, ListArgs, ReadAnswer, ReadArgs, WriteArgs,
};
use crate::wording;

pub use multi::MOST_EDITS;

/// One agent's file tools. Calls run one after another; a session may move between
/// threads. A thread that calls it needs [`crate::STACK_BYTES`] of stack and some more, and
/// is one that may wait: with the feature `wasi` a component that waits panics in the host
/// where it is called from within an asynchronous task of tokio.
///
/// Where the component breaks, this session has ended: every later call answers
/// `COMPONENT_TRAPPED`. Other sessions go on.
pub struct Session {
    prepared: Arc<Prepared>,
    options: SessionOptions,
    running: Result<Live, Ended>,
    ceiling: Ceiling,
    cancel: Cancel,
    /// The flag of the running call alone, where its caller brought one.
    lent: Option<Cancel>,
}

/// A component that has not broken.
struct Live {
    store: Store<State>,
    tools: Guest,
    handle: ResourceAny,
}

/// Why there is no component any more.
#[derive(Clone, Debug)]
struct Ended(String);

impl Session {
    /// Reads a part of a text file; from then on the file counts as seen.
    ///
    /// # Errors
    /// Any of the codes, with the text for the model.
    pub fn read(&mut self, args: ReadArgs) -> Result<ReadAnswer, CallError> {
        self.check_size("file_path", &args.file_path)?;
        let args: tools::ReadArgs = args.into();
        let answer = self.enter("read", |tools, store, handle| {
            tools.call_read(store, handle, &args)
        })?;
        self.judged("read", Some(&args.file_path), answer)
    }

    /// Creates a file, or replaces one that was seen and has not changed since.
    ///
    /// # Errors
    /// Any of the codes, with the text for the model.
    pub fn write(&mut self, args: WriteArgs) -> Result<ChangeAnswer, CallError> {
        self.check_size("file_path", &args.file_path)?;
        self.check_size("content", &args.content)?;
        self.check_escalation(&args.escalation)?;
        let args = Arc::new(tools::WriteArgs::from(args));
        let request = Request::Write(Arc::clone(&args));
        let answer = self.enter_for("write", request, |tools, store, handle| {
            tools.call_write(store, handle, &args)
        })?;
        self.judged("write", Some(&args.file_path), answer)
    }

    /// Replaces text in a file that was seen and has not changed since.
    ///
    /// # Errors
    /// Any of the codes, with the text for the model.
    pub fn edit(&mut self, args: EditArgs) -> Result<ChangeAnswer, CallError> {
        self.check_size("file_path", &args.file_path)?;
        self.check_size("old_string", &args.old_string)?;
        self.check_size("new_string", &args.new_string)?;
        self.check_escalation(&args.escalation)?;
        let args = Arc::new(tools::EditArgs::from(args));
        let request = Request::Edit(Arc::clone(&args));
        let answer = self.enter_for("edit", request, |tools, store, handle| {
            tools.call_edit(store, handle, &args)
        })?;
        self.judged("edit", Some(&args.file_path), answer)
    }

    /// Lists the direct children of a directory.
    ///
    /// # Errors
    /// Any of the codes, with the text for the model.
    pub fn list(&mut self, args: ListArgs) -> Result<ListAnswer, CallError> {
        self.check_size("file_path", args.file_path.as_deref().unwrap_or_default())?;
        let args: tools::ListArgs = args.into();
        let answer = self.enter("list", |tools, store, handle| {
            tools.call_list(store, handle, &args)
        })?;
        self.judged("list", args.file_path.as_deref(), answer)
    }

    /// Changes the mode: the decision of a person, or of the embedder for one. It moves
    /// the ceiling, and tells the component. An unconfined session stays unconfined.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`. The ceiling has moved nevertheless.
    pub fn set_mode(&mut self, mode: Mode, source: ModeSource) -> Result<(), CallError> {
        let from = self.ceiling.mode;
        if self.options.confined {
            self.ceiling.mode = mode;
        }
        self.record(Event::ModeChanged {
            from: from.name(),
            to: mode.name(),
            source: source.name(),
        });
        let event = types::ModeEvent {
            mode: mode.into(),
            source: source.into(),
        };
        self.enter("set-mode", |tools, store, handle| {
            tools.call_mode_changed(store, handle, event)
        })
    }

    /// The policy of a call without escalation, as the component resolves it, with the
    /// root in the canonical spelling that the host pinned.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn policy(&mut self) -> Result<ExecutionPolicy, CallError> {
        let policy = self.enter("policy", |tools, store, handle| {
            tools.call_policy(store, handle)
        })?;
        let mut policy = ExecutionPolicy::from(policy);
        if policy.workspace_root == self.ceiling.told_root {
            policy
                .workspace_root
                .clone_from(&self.ceiling.canonical_root);
        }
        Ok(policy)
    }

    /// The sentence that describes the policy to a model; empty without a session id.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn policy_text(&mut self) -> Result<String, CallError> {
        self.enter("policy", |tools, store, handle| {
            tools.call_policy_text(store, handle)
        })
    }

    /// The canonical directories that a mutation of now may touch without a grant; empty
    /// where there are none, and where there is no limit.
    #[must_use]
    pub fn writable_roots(&self) -> Vec<String> {
        self.ceiling.pinned.of(self.ceiling.mode).texts()
    }

    /// The flag by which the running call is withdrawn (`FS_ABORTED`), from any thread.
    /// Raised between calls it withdraws the next one; it is lowered when a call ends.
    #[must_use]
    pub fn cancel_handle(&self) -> Cancel {
        self.cancel.clone()
    }

    /// The label of the session.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.options.id.as_deref()
    }

    /// The widest mode without a grant.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.ceiling.mode
    }

    /// Has calls withdrawn by a flag of their caller, until that is taken back.
    pub(crate) fn lend(&mut self, cancel: Option<Cancel>) {
        self.lent = cancel;
    }

    /// What the host keeps of it, as long as its component has not broken.
    fn state(&mut self) -> Result<&mut State, CallError> {
        let live = self.running.as_mut().map_err(|ended| ended.error())?;
        Ok(live.store.data_mut())
    }

    /// Calls the component for no change of one file.
    fn enter<T>(
        &mut self,
        tool: &'static str,
        call: impl FnOnce(GuestSession<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T, CallError> {
        self.enter_for(tool, Request::Other, call)
    }

    /// Calls the component, under the ceiling and the limits of now.
    fn enter_for<T>(
        &mut self,
        tool: &'static str,
        request: Request,
        call: impl FnOnce(GuestSession<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T, CallError> {
        let live = self.running.as_mut().map_err(|ended| ended.error())?;
        let state = live.store.data_mut();
        state.authority.ceiling.mode = self.ceiling.mode;
        state.cancel = self.lent.as_ref().unwrap_or(&self.cancel).clone();
        let ticks = state.begin(tool, request);
        live.store.set_epoch_deadline(ticks);
        let ticking = self.prepared.ticker.run();
        let result = call(live.tools.session(), &mut live.store, live.handle);
        drop(ticking);
        let state = live.store.data_mut();
        state.end();
        if self.lent.is_none() && state.multi.is_none() {
            // A withdrawal was meant for this call alone, or for all of several changes.
            self.cancel.reset();
        }
        result.map_err(|error| {
            let reason = trap::reason(&error, &self.prepared.limits);
            self.end(tool, reason)
        })
    }

    /// The component's verdict on a tool call, for the caller and for the audit. The path is
    /// the one that the call names. An answer that no file could have led to ends the
    /// session, before more is made of it.
    fn judged<A, B: From<A> + Weight>(
        &mut self,
        tool: &'static str,
        path: Option<&str>,
        answer: Result<A, Failure>,
    ) -> Result<B, CallError> {
        match answer.map(B::from) {
            Ok(answer) if answer.weight() > self.most_weight() => {
                Err(self.end(tool, wording::answer_too_large(self.most_weight())))
            }
            Ok(answer) => Ok(answer),
            Err(failure) => {
                let error = CallError::from(failure);
                let named = || self.canonical(path?);
                let path = error.path.clone().or_else(named);
                self.record(Event::CallFailed {
                    tool,
                    path: path.as_deref(),
                    code: error.code.name(),
                });
                Err(error)
            }
        }
    }

    /// The most that an answer may weigh: texts cross twice in some, and lines and entries
    /// weigh more than their bytes.
    fn most_weight(&self) -> usize {
        self.prepared.limits.transfer_bytes.saturating_mul(4)
    }

    /// A path as the audit shows it, where it can be resolved.
    fn canonical(&self, path: &str) -> Option<String> {
        let reader = &self.running.as_ref().ok()?.store.data().authority.reader;
        let target = reader.resolve(path, self.options.cwd.as_deref(), &Cancel::new());
        Some(shown(&target.ok()?.key))
    }

    /// Ends the session and frees what its component held.
    fn end(&mut self, tool: &'static str, reason: String) -> CallError {
        self.record(Event::Trapped {
            tool,
            reason: &reason,
        });
        let ended = Ended(reason);
        let error = ended.error();
        self.running = Err(ended);
        error
    }

    /// A text that cannot cross would break the component: it is refused instead.
    fn check_size(&self, name: &str, text: &str) -> Result<(), CallError> {
        let most = self.prepared.limits.transfer_bytes;
        if text.len() <= most {
            return Ok(());
        }
        Err(CallError::of_call(
            CallCode::InvalidArguments,
            wording::argument_too_large(name, most),
        ))
    }

    fn check_escalation(&self, escalation: &Escalation) -> Result<(), CallError> {
        let mode = escalation.sandbox_permissions.as_deref();
        let reason = escalation.justification.as_deref();
        self.check_size("sandbox_permissions", mode.unwrap_or_default())?;
        self.check_size("justification", reason.unwrap_or_default())
    }

    /// Writes an event down as one of this session: for what the embedder does for it
    /// (confined commands, answers that are kept, changes of several files).
    pub fn record_event(&self, event: Event<'_>) {
        self.record(event);
    }

    fn record(&self, event: Event<'_>) {
        state::record(self.options.audit.as_ref(), self.id(), event);
    }
}

impl Ended {
    fn error(&self) -> CallError {
        CallError::of_call(CallCode::ComponentTrapped, wording::session_ended(&self.0))
    }
}
