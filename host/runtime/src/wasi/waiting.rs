//! Waiting for a moment or a stream, never longer than a call may take: the epoch stops
//! WebAssembly, and not a host that waits for it.

use std::future::Future;
use std::time::Duration;

use wasmtime::component::{HasData, Linker, Resource, ResourceTable};
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::io::poll as unlimited;
use wasmtime_wasi::p2::bindings::sync::io::poll;
use wasmtime_wasi::runtime::in_tokio;

use super::HasWasi;

/// Puts waiting with a limit in the place of waiting without one.
pub(super) fn limit<T: HasWasi>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    poll::add_to_linker::<T, Waits>(linker, |data| {
        let longest = data.wasi().longest_wait();
        let table = data.wasi().table();
        Waiting { table, longest }
    })?;
    linker.allow_shadowing(false);
    Ok(())
}

struct Waits;

impl HasData for Waits {
    type Data<'a> = Waiting<'a>;
}

struct Waiting<'a> {
    table: &'a mut ResourceTable,
    longest: Duration,
}

impl poll::Host for Waiting<'_> {
    fn poll(&mut self, all: Vec<Resource<DynPollable>>) -> wasmtime::Result<Vec<u32>> {
        within(self.longest, unlimited::Host::poll(self.table, all))
    }
}

impl poll::HostPollable for Waiting<'_> {
    fn ready(&mut self, one: Resource<DynPollable>) -> wasmtime::Result<bool> {
        within(
            self.longest,
            unlimited::HostPollable::ready(self.table, one),
        )
    }

    fn block(&mut self, one: Resource<DynPollable>) -> wasmtime::Result<()> {
        within(
            self.longest,
            unlimited::HostPollable::block(self.table, one),
        )
    }

    fn drop(&mut self, one: Resource<DynPollable>) -> wasmtime::Result<()> {
        unlimited::HostPollable::drop(self.table, one)
    }
}

fn within<T>(
    longest: Duration,
    wait: impl Future<Output = wasmtime::Result<T>>,
) -> wasmtime::Result<T> {
    in_tokio(async { tokio::time::timeout(longest, wait).await }).unwrap_or_else(|_| {
        let longest = longest.as_secs_f32();
        Err(wasmtime::Error::msg(format!(
            "it waited longer than {longest} seconds"
        )))
    })
}
