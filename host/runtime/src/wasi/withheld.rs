//! Nothing of WASI can be used.

use wasmtime::component::{Component, Linker};

use super::{HasWasi, unused};
use crate::limits::Limits;

/// What a store keeps for WASI.
pub(crate) struct Wasi;

impl Wasi {
    pub(crate) fn new(_: &Limits) -> Self {
        Self
    }
}

/// Lets a component import WASI.
pub(crate) fn offer<T: HasWasi>(
    linker: &mut Linker<T>,
    component: &Component,
) -> wasmtime::Result<()> {
    unused::offer(linker, component)
}
