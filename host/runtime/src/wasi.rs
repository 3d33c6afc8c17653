//! WASI for components of other toolchains, which import it whether they need it or not.
//!
//! With the feature `wasi` it has clocks and random numbers, and is empty beyond them: no
//! folder, no network, no environment, no arguments; standard input has ended, and what is
//! written goes nowhere. Without the feature, and for a version of WASI that is not known,
//! it is there to be imported, and using it ends the session.

#[cfg(feature = "wasi")]
mod offered;
mod unused;
#[cfg(feature = "wasi")]
mod waiting;
#[cfg(not(feature = "wasi"))]
mod withheld;

#[cfg(feature = "wasi")]
pub(crate) use offered::{Wasi, offer};
#[cfg(not(feature = "wasi"))]
pub(crate) use withheld::{Wasi, offer};

/// A store that has room for WASI.
pub(crate) trait HasWasi: Send + 'static {
    /// What it keeps for it.
    #[cfg(feature = "wasi")]
    fn wasi(&mut self) -> &mut Wasi;
}
