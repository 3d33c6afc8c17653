//! A component, ready to run: many sessions share one.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::name::shown;
use dsh_fs_artifacts as artifacts;
use wasmtime::Engine;
use wasmtime::component::{Component, HasSelf, Linker};

use crate::bindings::composed::{Composed, ComposedPre};
use crate::clock::Ticker;
use crate::code::{self, Made};
use crate::failure::{CallError, LoadError};
use crate::limits::Limits;
use crate::options::SessionOptions;
use crate::session::Session;
use crate::state::State;
use crate::wasi;

/// Which component decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ComponentSource {
    /// The one that ships.
    #[default]
    Shipped,
    /// The toolbox that ships over another gate, given as the bytes of a component.
    Gate(Vec<u8>),
    /// Another component altogether, of the world `composed`.
    Whole(Vec<u8>),
}

/// What a runtime is made from.
#[derive(Clone, Debug, Default)]
pub struct RuntimeOptions {
    /// Which component decides.
    pub component: ComponentSource,
    /// The limits of each session.
    pub limits: Limits,
    /// Where compiled code of other components is kept: a folder of this user's own, which
    /// nobody else may write. Without one it is compiled each time.
    pub code_cache: Option<PathBuf>,
}

/// A component, ready to run. Clones share it; sessions may be started and used from
/// several threads at once.
#[derive(Clone)]
pub struct Runtime(Arc<Prepared>);

/// What the sessions of one runtime share.
pub(crate) struct Prepared {
    pub(crate) engine: Engine,
    pub(crate) component: ComposedPre<State>,
    made: Made,
    pub(crate) ticker: Ticker,
    pub(crate) limits: Limits,
}

impl Runtime {
    /// Makes a component ready: loads it or composes and compiles it, and checks that it
    /// imports nothing but what a session offers. WASI may be imported: with the feature
    /// `wasi` it has clocks and random numbers and is empty beyond them, and without it
    /// using it ends the session.
    ///
    /// # Errors
    /// [`LoadError`], in one sentence.
    pub fn new(options: RuntimeOptions) -> Result<Self, LoadError> {
        let engine = code::engine()?;
        let (component, made) = load(&engine, &options)?;
        let component = link(&engine, &component)?;
        let ticker = Ticker::start(engine.clone())
            .map_err(|error| LoadError::Engine(format!("no thread for the clock: {error}")))?;
        Ok(Self(Arc::new(Prepared {
            engine,
            component,
            made,
            ticker,
            limits: options.limits,
        })))
    }

    /// When the code that runs was made.
    #[must_use]
    pub fn made(&self) -> Made {
        self.0.made
    }

    /// Starts a session: an agent of its own, which has seen nothing.
    ///
    /// # Errors
    /// `FS_NOT_FOUND` and `FS_NOT_DIRECTORY`: the workspace is not there. Those of the
    /// provider, where it cannot be examined. `COMPONENT_TRAPPED`: the component broke
    /// while it started.
    pub fn session(&self, options: SessionOptions) -> Result<Session, CallError> {
        Session::start(Arc::clone(&self.0), options)
    }
}

fn load(engine: &Engine, options: &RuntimeOptions) -> Result<(Component, Made), LoadError> {
    let cache = options.code_cache.as_deref();
    match &options.component {
        ComponentSource::Shipped => {
            code::load_shipped(engine, artifacts::COMPOSED, artifacts::COMPOSED_AOT)
        }
        ComponentSource::Gate(gate) => {
            let composed = artifacts::compose(artifacts::TOOLBOX, gate)?;
            check_imports(&composed)?;
            code::load(engine, &composed, cache)
        }
        ComponentSource::Whole(component) => {
            check_imports(component)?;
            code::load(engine, component, cache)
        }
    }
}

/// Names the import that is too much, before time is spent on compiling.
fn check_imports(component: &[u8]) -> Result<(), LoadError> {
    const OFFERED: [&str; 2] = [artifacts::FILESYSTEM, artifacts::APPROVAL];
    for import in artifacts::inspect(component)?.imports {
        let is = |offered: &str| artifacts::compatible(offered, &import.name);
        let offered = import.name.starts_with("wasi:") || OFFERED.into_iter().any(is);
        if !import.type_only && !offered {
            return Err(LoadError::Import(shown(&import.name)));
        }
    }
    Ok(())
}

fn link(engine: &Engine, component: &Component) -> Result<ComposedPre<State>, LoadError> {
    let shape = |error: wasmtime::Error| LoadError::Shape(shown(&format!("{error:#}")));
    let mut linker = Linker::new(engine);
    Composed::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).map_err(shape)?;
    // Nothing but WASI is left over by now.
    wasi::offer(&mut linker, component).map_err(shape)?;
    let ready = linker.instantiate_pre(component).map_err(shape)?;
    ComposedPre::new(ready).map_err(shape)
}
