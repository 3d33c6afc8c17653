//! What one session may use up.

use std::time::Duration;

use wasmtime::ResourceLimiter;

/// The limits of one session. A component that passes one of them is stopped or refused;
/// other sessions do not notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Linear memory of all modules of the component together, in bytes (256 MiB: a
    /// memory of a million targets takes about 96).
    pub memory_bytes: usize,
    /// Entries of all tables together (100,000).
    pub table_elements: usize,
    /// The time that WebAssembly itself may take in one call (10 s).
    pub guest_time: Duration,
    /// The time that file operations may take in one call (10 minutes), a question to a
    /// person not counted.
    pub host_time: Duration,
    /// The most bytes that cross in one piece: content to write, a text to read, a listing
    /// (64 MiB). An answer of the component that would take more than four times as much as
    /// JSON ends its session.
    pub transfer_bytes: usize,
    /// The most handles to files and streams that are open at once (256).
    pub handles: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 256 << 20,
            table_elements: 100_000,
            guest_time: Duration::from_secs(10),
            host_time: Duration::from_secs(600),
            transfer_bytes: 64 << 20,
            handles: 256,
        }
    }
}

/// Counts memory and tables over the whole store: wasmtime asks about each one alone.
#[derive(Debug)]
pub(crate) struct Limiter {
    memory_left: usize,
    elements_left: usize,
}

impl Limiter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            memory_left: limits.memory_bytes,
            elements_left: limits.table_elements,
        }
    }
}

/// Takes a growth from what is left, or leaves it as it was.
fn take(left: &mut usize, current: usize, desired: usize) -> bool {
    match left.checked_sub(desired.saturating_sub(current)) {
        Some(rest) => {
            *left = rest;
            true
        }
        None => false,
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(take(&mut self.memory_left, current, desired))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(take(&mut self.elements_left, current, desired))
    }

    fn instances(&self) -> usize {
        200
    }

    fn tables(&self) -> usize {
        100
    }

    fn memories(&self) -> usize {
        50
    }
}
