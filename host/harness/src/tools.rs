//! The tools of an agent, by name.

/// Every name that [`crate::Agent::call`] takes.
pub const TOOLS: &[&str] = &[
    "read",
    "write",
    "edit",
    "multi_edit",
    "list",
    "undo",
    "bash",
];
