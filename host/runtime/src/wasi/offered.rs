//! Clocks and random numbers; everything else is there and empty.

use std::time::Duration;

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView, p2};

use super::{HasWasi, unused, waiting};
use crate::gate::Room;
use crate::limits::Limits;
use crate::state::State;

/// The most random bytes of one request.
const RANDOM_BYTES: u64 = 1 << 20;

/// What a store keeps for WASI; it is made when it is first used.
pub(crate) struct Wasi {
    limits: Limits,
    made: Option<Box<Made>>,
}

struct Made {
    context: WasiCtx,
    table: ResourceTable,
}

impl Wasi {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            limits: *limits,
            made: None,
        }
    }

    fn view(&mut self) -> WasiCtxView<'_> {
        let handles = self.limits.handles;
        let made = self
            .made
            .get_or_insert_with(|| Box::new(Made::new(handles)));
        WasiCtxView {
            ctx: &mut made.context,
            table: &mut made.table,
        }
    }

    pub(super) fn table(&mut self) -> &mut ResourceTable {
        self.view().table
    }

    /// A component that waits does nothing else meanwhile: it is time of its own.
    pub(super) fn longest_wait(&self) -> Duration {
        self.limits.guest_time
    }
}

impl Made {
    fn new(handles: usize) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(handles);
        let mut builder = WasiCtx::builder();
        builder
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .max_random_size(RANDOM_BYTES);
        Self {
            context: builder.build(),
            table,
        }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.view()
    }
}

impl WasiView for Room {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.view()
    }
}

/// Lets a component import WASI. Where it asks for an interface that is not known here it
/// gets none of them: it is loaded, and using one ends the session.
pub(crate) fn offer<T: HasWasi + WasiView>(
    linker: &mut Linker<T>,
    component: &Component,
) -> wasmtime::Result<()> {
    // Linking takes time that a component without WASI need not spend.
    if !imports_wasi(component) {
        return Ok(());
    }
    let mut offering = linker.clone();
    p2::add_to_linker_sync(&mut offering)?;
    waiting::limit(&mut offering)?;
    if offering.instantiate_pre(component).is_ok() {
        *linker = offering;
        return Ok(());
    }
    unused::offer(linker, component)
}

fn imports_wasi(component: &Component) -> bool {
    let engine = component.engine();
    let component = component.component_type();
    component
        .imports(engine)
        .any(|(name, _)| unused::is_wasi(name))
}
