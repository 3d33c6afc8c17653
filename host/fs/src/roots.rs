//! The writable roots of a policy, derived in one place and pinned by device and inode.

/// A canonical directory, pinned.
#[derive(Debug)]
pub struct Root {}
