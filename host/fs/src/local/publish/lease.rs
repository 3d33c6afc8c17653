//! Holding off every writer from the old file while it is exchanged.
//!
//! A read lease is enough, and better than a write lease: it is refused while anybody
//! could write to the file, and it makes openers for writing wait, but neither our own
//! readers nor those of others are in its way or kept waiting.

use std::thread;
use std::time::Duration;

use rustix::io::Errno;

use super::old::Old;
use crate::cancel::Cancel;
use crate::local::sys::{Kernel, LeaseState};
use crate::wording::publication::lease as reason;

/// How often a lease is asked for while somebody has the file open for writing, and how
/// long between: a program that rewrites the file is done by then.
const ATTEMPTS: u32 = 24;
const PAUSE: Duration = Duration::from_millis(2);

/// A lease, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Lease<'o> {
    kernel: &'o Kernel,
    old: &'o Old<'o>,
}

impl<'o> Lease<'o> {
    /// Takes it, or says why it cannot be had.
    pub(crate) fn take(
        kernel: &'o Kernel,
        old: &'o Old<'_>,
        cancel: &Cancel,
    ) -> Result<Self, &'static str> {
        Self::ask(kernel, old, cancel, || kernel.take_lease(&old.file))
    }

    /// Takes one of a file that is open for writing, which holds off readers as well.
    pub(crate) fn take_sole(
        kernel: &'o Kernel,
        old: &'o Old<'_>,
        cancel: &Cancel,
    ) -> Result<Self, &'static str> {
        Self::ask(kernel, old, cancel, || kernel.take_sole_lease(&old.file))
    }

    fn ask(
        kernel: &'o Kernel,
        old: &'o Old<'_>,
        cancel: &Cancel,
        take: impl Fn() -> Result<(), Errno>,
    ) -> Result<Self, &'static str> {
        for _ in 0..ATTEMPTS {
            match take() {
                Ok(()) => return Ok(Self { kernel, old }),
                Err(Errno::AGAIN) if cancel.is_cancelled() => break,
                Err(Errno::AGAIN) => thread::sleep(PAUSE),
                Err(Errno::ACCESS | Errno::PERM) => return Err(reason::NOT_OWNER),
                Err(Errno::NOTSUP) => return Err(reason::OTHERS_HAVE_IT),
                Err(_) => return Err(reason::UNSUPPORTED),
            }
        }
        Err(reason::OPEN_ELSEWHERE)
    }

    /// Whether somebody waits to write to the old file, or is about to. A lease that
    /// cannot be asked about is taken for lost.
    ///
    /// An opener is counted as a writer before it comes to the lease, and may be held up
    /// between the two (by a scanner of files, for one). Taking the lease again, which is
    /// refused while there is any writer, finds it there.
    pub(crate) fn is_contended(&self) -> bool {
        self.kernel.lease_state(&self.old.file) != Ok(LeaseState::Held)
            || self.kernel.renew_lease(&self.old.file).is_err()
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // A lease that was broken by force is gone already, and closing ends it anyhow.
        let _ = self.kernel.release_lease(&self.old.file);
    }
}
