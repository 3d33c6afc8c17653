//! Nothing of WASI can be used.

use wasmtime::component::{Component, Linker};

use super::HasWasi;
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
    linker.define_unknown_imports_as_traps(component)
}
