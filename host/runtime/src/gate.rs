//! The gate alone: decisions over values, and the memory of one owner. For embedders who
//! bring their own tools, and for tests of a gate.

mod ledger;
mod sandbox;

use std::path::Path;

use dsh_fs::error::{Code, Error};
use dsh_fs::name::shown;
use dsh_fs::types::{EditGuard, Target, WriteGuard};
use dsh_fs_artifacts as artifacts;
use wasmtime::Store;
use wasmtime::component::{Linker, types::ComponentItem};

use crate::bindings::gate as generated;
use crate::bindings::gate::exports::dsh::fs as exports;
use crate::bindings::types as wit;
use crate::clock::{Account, Ticker};
use crate::code;
use crate::failure::{CallCode, CallError, LoadError};
use crate::limits::{Limiter, Limits};
use crate::trap;
use crate::wasi::{self, HasWasi, Wasi};
use crate::wording;

pub use ledger::{Fill, Ledger};
pub use sandbox::{Circumstances, PolicyInputs, Refusal};

/// What an owner knows of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Never looked at.
    Unseen,
    /// Looked at, and nothing was there.
    Absent,
    /// Looked at, with this content.
    Present(String),
}

/// The secret of a ledger: 128 random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// One half.
    pub low: u64,
    /// The other half.
    pub high: u64,
}

impl Seed {
    /// Bits of the operating system.
    #[must_use]
    pub fn random() -> Self {
        let (low, high) = crate::grants::random_bits();
        Self { low, high }
    }
}

/// A gate in a store of its own. A gate that broke stays broken: every later call is
/// `COMPONENT_TRAPPED`.
pub struct Gate {
    store: Store<Room>,
    exports: generated::Gate,
    ticker: Ticker,
    limits: Limits,
    broken: Option<String>,
}

/// What the host keeps for a gate: it imports nothing but WASI, so there is little.
pub(crate) struct Room {
    limiter: Limiter,
    account: Account,
    pub(crate) wasi: Wasi,
}

impl HasWasi for Room {
    #[cfg(feature = "wasi")]
    fn wasi(&mut self) -> &mut Wasi {
        &mut self.wasi
    }
}

impl Gate {
    /// The gate that ships.
    ///
    /// # Errors
    /// [`LoadError`], in one sentence.
    pub fn shipped(limits: Limits) -> Result<Self, LoadError> {
        let engine = code::engine()?;
        let (component, _) = code::load_shipped(&engine, artifacts::GATE, artifacts::GATE_AOT)?;
        Self::start(&engine, &component, limits)
    }

    /// Another gate, given as the bytes of a component. A gate that asks a next one is
    /// first composed with that ([`dsh_fs_artifacts::chain`]).
    ///
    /// # Errors
    /// [`LoadError`], in one sentence.
    pub fn load(bytes: &[u8], limits: Limits, cache: Option<&Path>) -> Result<Self, LoadError> {
        artifacts::check_gate_imports(bytes)?;
        let engine = code::engine()?;
        let (component, _) = code::load(&engine, bytes, cache)?;
        Self::start(&engine, &component, limits)
    }

    fn start(
        engine: &wasmtime::Engine,
        component: &wasmtime::component::Component,
        limits: Limits,
    ) -> Result<Self, LoadError> {
        refuse_imports(engine, component)?;
        let ticker = Ticker::start(engine.clone())
            .map_err(|error| LoadError::Engine(format!("no thread for the clock: {error}")))?;
        let mut account = Account::new(&limits);
        let ticks = account.begin();
        let room = Room {
            limiter: Limiter::new(&limits),
            account,
            wasi: Wasi::new(&limits),
        };
        let mut store = Store::new(engine, room);
        store.limiter(|room| &mut room.limiter);
        store.set_epoch_deadline(ticks);
        let ticking = ticker.run();
        let start = |error| LoadError::Start(trap::reason(&error, &limits));
        let mut linker = Linker::new(engine);
        // What is left over by now is WASI.
        wasi::offer(&mut linker, component).map_err(start)?;
        let exports =
            generated::Gate::instantiate(&mut store, component, &linker).map_err(start)?;
        drop(ticking);
        Ok(Self {
            store,
            exports,
            ticker,
            limits,
            broken: None,
        })
    }

    /// Decides what a write must demand.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn decide_write(&mut self, prior: &Prior) -> Result<WriteGuard, CallError> {
        let prior = prior.clone().into();
        let guard =
            self.enter(|gate, store| gate.dsh_fs_observation().call_decide_write(store, &prior))?;
        Ok(guard.into())
    }

    /// Decides what an edit must demand, or refuses it.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`; the inner error is the gate's refusal.
    pub fn decide_edit(
        &mut self,
        target: &Target,
        prior: &Prior,
    ) -> Result<Result<EditGuard, Error>, CallError> {
        let (target, prior) = (target.clone().into(), prior.clone().into());
        let decision = self.enter(|gate, store| {
            gate.dsh_fs_observation()
                .call_decide_edit(store, &target, &prior)
        })?;
        Ok(decision.map(Into::into).map_err(Into::into))
    }

    /// The message of a failure, with what to do about it where there is something.
    ///
    /// # Errors
    /// `COMPONENT_TRAPPED`.
    pub fn with_remedy(&mut self, code: Code, message: &str) -> Result<String, CallError> {
        self.enter(|gate, store| {
            gate.dsh_fs_observation()
                .call_with_remedy(store, code.into(), message)
        })
    }

    /// Calls the gate under its limits.
    fn enter<T>(
        &mut self,
        call: impl FnOnce(&generated::Gate, &mut Store<Room>) -> wasmtime::Result<T>,
    ) -> Result<T, CallError> {
        if let Some(reason) = &self.broken {
            return Err(broken(reason));
        }
        let ticks = self.store.data_mut().account.begin();
        self.store.set_epoch_deadline(ticks);
        let ticking = self.ticker.run();
        let result = call(&self.exports, &mut self.store);
        drop(ticking);
        result.map_err(|error| {
            let reason = trap::reason(&error, &self.limits);
            let error = broken(&reason);
            self.broken = Some(reason);
            error
        })
    }
}

fn broken(reason: &str) -> CallError {
    CallError::of_call(CallCode::ComponentTrapped, wording::session_ended(reason))
}

/// A gate in a store of its own gets nothing but types: there is no next gate to ask.
fn refuse_imports(
    engine: &wasmtime::Engine,
    component: &wasmtime::component::Component,
) -> Result<(), LoadError> {
    for (name, item) in component.component_type().imports(engine) {
        let types_only = match item.ty {
            ComponentItem::ComponentInstance(instance) => instance
                .exports(engine)
                .all(|(_, export)| matches!(export.ty, ComponentItem::Type(_))),
            ComponentItem::Type(_) => true,
            _ => false,
        };
        if !types_only && !name.starts_with("wasi:") {
            return Err(LoadError::Import(shown(name)));
        }
    }
    Ok(())
}

impl From<Prior> for wit::Prior {
    fn from(value: Prior) -> Self {
        match value {
            Prior::Unseen => Self::Unseen,
            Prior::Absent => Self::Absent,
            Prior::Present(version) => Self::Present(version),
        }
    }
}

impl From<wit::Prior> for Prior {
    fn from(value: wit::Prior) -> Self {
        match value {
            wit::Prior::Unseen => Self::Unseen,
            wit::Prior::Absent => Self::Absent,
            wit::Prior::Present(version) => Self::Present(version),
        }
    }
}
