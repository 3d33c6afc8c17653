//! The gate as a component: `dsh:fs/observation` and `dsh:fs/sandbox` over `dsh-fs-policy`.
//!
//! Nothing is decided here. Each file translates one interface of the WIT package into
//! calls of the policy crate and its answers back; the component imports no function at
//! all, so there is nothing that it could touch.
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

#[cfg(target_arch = "wasm32")]
mod allocator;
mod bindings;
mod observation;
#[cfg(target_arch = "wasm32")]
mod runtime;
mod sandbox;
mod vocabulary;

/// The component, to which the exported interfaces are attached.
struct Gate;
