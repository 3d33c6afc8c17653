//! What root gives up besides files: the rights with which it could undo a confinement.
//!
//! A command of root keeps what it needs to use its own files as it would without a
//! sandbox. It loses what changes mounts, the kernel, devices and other processes.

use rustix::io;
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

/// What is kept, by the names that bubblewrap knows.
pub(crate) const KEPT: [(&str, CapabilitySet); 7] = [
    ("CAP_CHOWN", CapabilitySet::CHOWN),
    ("CAP_DAC_OVERRIDE", CapabilitySet::DAC_OVERRIDE),
    ("CAP_FOWNER", CapabilitySet::FOWNER),
    ("CAP_FSETID", CapabilitySet::FSETID),
    ("CAP_KILL", CapabilitySet::KILL),
    ("CAP_SETGID", CapabilitySet::SETGID),
    ("CAP_SETUID", CapabilitySet::SETUID),
];

/// Gives up every other right of this thread. With `no_new_privs`, no program gives them
/// back. Allocates nothing.
pub(crate) fn give_up() -> io::Result<()> {
    let has = capabilities(None)?;
    let mut kept = CapabilitySet::empty();
    for (_, capability) in KEPT {
        kept |= capability;
    }
    set_capabilities(
        None,
        CapabilitySets {
            effective: has.effective & kept,
            permitted: has.permitted & kept,
            inheritable: CapabilitySet::empty(),
        },
    )
}
