//! What the host keeps in the store of one session.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use dsh_fs::cancel::Cancel;
use dsh_fs::sandbox::{Files, Guarding, SandboxedFileSystem};
use wasmtime::component::ResourceTable;

use crate::approver::Approver;
use crate::audit::{AuditSink, Event, Record};
use crate::ceiling::Ceiling;
use crate::clock::Account;
use crate::grants::Grants;
use crate::journal::Journal;
use crate::limits::{Limiter, Limits};
use crate::multi::Multi;
use crate::request::Request;
use crate::wasi::{HasWasi, Wasi};
use crate::wording;

/// The most events of one call. Whoever leads to more is out to fill the disk of the audit,
/// or to hide something in it.
const MOST_EVENTS: u32 = 1_000;

/// The state of one session. It lives in that session's store: a component of another
/// session has no way to name it.
pub(crate) struct State {
    pub(crate) table: ResourceTable,
    pub(crate) limiter: Limiter,
    pub(crate) limits: Limits,
    pub(crate) account: Account,
    pub(crate) authority: Authority,
    pub(crate) call: CurrentCall,
    pub(crate) journal: Journal,
    /// The call of several changes that is running.
    pub(crate) multi: Option<Multi>,
    pub(crate) cancel: Cancel,
    pub(crate) wasi: Wasi,
}

/// What this session may do, and through whom.
pub(crate) struct Authority {
    /// The label for the audit.
    pub(crate) label: Option<String>,
    pub(crate) files: Arc<SandboxedFileSystem>,
    /// A read-only handle of the host's own.
    pub(crate) reader: Files,
    pub(crate) ceiling: Ceiling,
    pub(crate) guarding: Guarding,
    pub(crate) grants: Grants,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) audit: Arc<dyn AuditSink>,
    /// Whether reads are written down too.
    pub(crate) audit_reads: bool,
    /// Whether a component may have the whole text of a mutation reported.
    pub(crate) report_texts: bool,
}

/// The call that is running.
pub(crate) struct CurrentCall {
    /// The tool, or what else was called.
    pub(crate) tool: &'static str,
    /// A number that no other call of the session has.
    pub(crate) serial: u64,
    /// What its caller asked for.
    pub(crate) request: Request,
    /// Whether a person was asked.
    pub(crate) asked: bool,
    /// How many events it has led to.
    events: Cell<u32>,
}

impl CurrentCall {
    fn new(tool: &'static str, serial: u64, request: Request) -> Self {
        Self {
            tool,
            serial,
            request,
            asked: false,
            events: Cell::new(0),
        }
    }

    /// The tool as the component knows it: to take a change back is a write, and one of
    /// several changes is an edit.
    pub(crate) fn verb(&self) -> &'static str {
        match self.tool {
            "undo" => "write",
            "multi_edit" => "edit",
            tool => tool,
        }
    }
}

impl State {
    pub(crate) fn new(authority: Authority, limits: &Limits, cancel: Cancel) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        Self {
            table,
            limiter: Limiter::new(limits),
            limits: *limits,
            account: Account::new(limits),
            authority,
            call: CurrentCall::new("start", 0, Request::Other),
            journal: Journal::default(),
            multi: None,
            cancel,
            wasi: Wasi::new(limits),
        }
    }

    /// Begins a call; answers its deadline in ticks.
    pub(crate) fn begin(&mut self, tool: &'static str, request: Request) -> u64 {
        self.call = CurrentCall::new(tool, self.call.serial + 1, request);
        self.account.begin()
    }

    /// Ends a call: no grant outlives it.
    pub(crate) fn end(&mut self) {
        self.call.request = Request::Other;
        self.authority.grants.clear();
        self.journal.end();
    }

    /// Writes an event of the call down.
    pub(crate) fn record(&self, event: Event<'_>) {
        let events = &self.call.events;
        events.set(events.get().saturating_add(1));
        self.authority.record(event);
    }

    /// Stops a component that makes events without end.
    pub(crate) fn check_events(&self) -> wasmtime::Result<()> {
        match self.call.events.get() > MOST_EVENTS {
            true => Err(wasmtime::Error::msg(wording::too_many_events(MOST_EVENTS))),
            false => Ok(()),
        }
    }

    /// Charges a file operation to the call.
    pub(crate) fn charge(&mut self, since: Instant) -> wasmtime::Result<()> {
        self.check_events()?;
        if self.account.spent_on_files(since) {
            Ok(())
        } else {
            Err(wasmtime::Error::msg(
                "the file operations of one call took longer than the limit",
            ))
        }
    }
}

impl HasWasi for State {
    #[cfg(feature = "wasi")]
    fn wasi(&mut self) -> &mut Wasi {
        &mut self.wasi
    }
}

impl Authority {
    pub(crate) fn record(&self, event: Event<'_>) {
        record(self.audit.as_ref(), self.label.as_deref(), event);
    }
}

/// Makes a record of now, where anybody wants it.
pub(crate) fn record(audit: &dyn AuditSink, session: Option<&str>, event: Event<'_>) {
    if audit.is_enabled() {
        audit.record(&Record::now(session, event));
    }
}
