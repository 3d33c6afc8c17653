//! Starting a session: the workspace is examined and pinned by the host, then the
//! component is made.

use std::sync::Arc;

use dsh_fs::cancel::Cancel;
use dsh_fs::sandbox::Files;
use dsh_fs::types::{ExecutionPolicy, Mode};
use wasmtime::Store;

use super::{Ended, Live, Session};
use crate::anchor::Anchor;
use crate::audit::Event;
use crate::bindings::composed::Composed;
use crate::bindings::{tools, types};
use crate::ceiling::{Ceiling, Pinned};
use crate::failure::CallError;
use crate::grants::{Grants, random_bits};
use crate::options::SessionOptions;
use crate::request::Request;
use crate::runtime::Prepared;
use crate::state::{Authority, State};
use crate::trap;

impl Session {
    pub(crate) fn start(
        prepared: Arc<Prepared>,
        options: SessionOptions,
    ) -> Result<Self, CallError> {
        let options = seeded(options);
        let anchor = match &options.anchor {
            Some(anchor) if anchor.told_root == options.root() => anchor.clone(),
            _ => Anchor::pin(&options.files, options.root())?,
        };
        let reader = reader(&options, &anchor.pinned);
        let ceiling = Ceiling {
            mode: options.starting_mode(),
            told_root: anchor.told_root,
            canonical_root: anchor.canonical_root,
            whole: anchor.pinned.clone(),
            pinned: anchor.pinned,
            narrowings: 0,
        };
        Self::begin(prepared, options, ceiling, reader, Some(false))
    }

    /// The same session once more, for reads beside it: no new one has begun.
    pub(super) fn beside(
        prepared: Arc<Prepared>,
        options: SessionOptions,
        ceiling: Ceiling,
    ) -> Result<Self, CallError> {
        let reader = reader(&options, &ceiling.pinned);
        Self::begin(prepared, options, ceiling, reader, None)
    }

    /// A sub-agent stands under the ceiling that its parent has, with the same directories.
    pub(super) fn fork_from(
        prepared: Arc<Prepared>,
        options: SessionOptions,
        ceiling: Ceiling,
    ) -> Result<Self, CallError> {
        let reader = reader(&options, &ceiling.pinned);
        Self::begin(prepared, options, ceiling, reader, Some(true))
    }

    /// `forked`: whether it is a sub-agent's; nothing is written down where it is no new
    /// session at all.
    fn begin(
        prepared: Arc<Prepared>,
        options: SessionOptions,
        ceiling: Ceiling,
        reader: Files,
        forked: Option<bool>,
    ) -> Result<Self, CallError> {
        let cancel = Cancel::new();
        let state = State::new(
            authority(&options, &ceiling, reader),
            &prepared.limits,
            cancel.clone(),
        );
        if let Some(forked) = forked {
            state.record(Event::SessionStarted {
                mode: ceiling.mode.name(),
                root: &ceiling.canonical_root,
                forked,
            });
        }
        let mut session = Self {
            running: Err(Ended(String::new())),
            prepared,
            options,
            ceiling,
            cancel,
            lent: None,
        };
        match instantiate(&session.prepared, state, &session.options) {
            Ok(live) => session.running = Ok(live),
            Err(error) => {
                let reason = trap::reason(&error, &session.prepared.limits);
                return Err(session.end("start", reason));
            }
        }
        Ok(session)
    }
}

/// A session keeps its seed, for those that are to share it.
fn seeded(options: SessionOptions) -> SessionOptions {
    SessionOptions {
        seed: options.seed.or_else(|| Some(random_bits())),
        ..options
    }
}

fn instantiate(
    prepared: &Prepared,
    state: State,
    options: &SessionOptions,
) -> wasmtime::Result<Live> {
    let mut store = Store::new(&prepared.engine, state);
    store.limiter(|state| &mut state.limiter);
    store.set_hostcall_fuel(prepared.limits.transfer_bytes.saturating_mul(2));
    store.epoch_deadline_callback(|mut context| Ok(context.data_mut().account.at_deadline()));
    let ticks = store.data_mut().begin("start", Request::Other);
    store.set_epoch_deadline(ticks);
    let ticking = prepared.ticker.run();
    let composed: Composed = prepared.component.instantiate(&mut store)?;
    let tools = composed.dsh_fs_tools().clone();
    let handle = tools
        .session()
        .call_constructor(&mut store, &config(options))?;
    drop(ticking);
    store.data_mut().end();
    Ok(Live {
        store,
        tools,
        handle,
    })
}

fn authority(options: &SessionOptions, ceiling: &Ceiling, reader: Files) -> Authority {
    Authority {
        label: options.id.clone(),
        files: Arc::clone(&options.files),
        reader,
        ceiling: ceiling.clone(),
        guarding: options.guarding,
        grants: Grants::default(),
        approver: options.approver.clone(),
        audit: Arc::clone(&options.audit),
        audit_reads: options.audit_reads,
        report_texts: options.report_texts,
    }
}

/// A read-only handle of the host's own.
fn reader(options: &SessionOptions, pinned: &Pinned) -> Files {
    let policy = ExecutionPolicy {
        mode: Mode::ReadOnly,
        workspace_root: options.root().to_owned(),
        session_id: options.id.clone(),
    };
    let roots = pinned.of(Mode::ReadOnly);
    options.files.open(policy, roots, options.guarding, None)
}

/// What a component is told when its session starts.
fn config(options: &SessionOptions) -> tools::SessionConfig {
    let (low, high) = options.seed.unwrap_or_else(random_bits);
    tools::SessionConfig {
        session_id: options.id.clone(),
        cwd: options.cwd.clone(),
        default_mode: options.starting_mode().into(),
        configured_root: options.configured_root.clone(),
        confined: options.confined,
        approver: options.approver.is_some(),
        limits: options.read_limits.into(),
        report_texts: options.report_texts,
        report_hunks: options.report_hunks,
        seed: types::Seed { low, high },
        ledger_capacity: options.ledger_capacity,
    }
}
