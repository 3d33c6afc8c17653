//! The protocol strings of every way to fail.

/// The thirteen codes of file operations and the five of calls.
pub const ALL: [&str; 18] = [
    "FS_NOT_FOUND",
    "FS_NOT_DIRECTORY",
    "FS_NOT_TEXT",
    "FS_NOT_REGULAR_FILE",
    "FS_TOO_LARGE",
    "FS_PERMISSION_DENIED",
    "FS_SANDBOX_DENIED",
    "FS_IO_ERROR",
    "FS_STALE_VERSION",
    "FS_NOT_OBSERVED",
    "FS_AMBIGUOUS_EDIT",
    "FS_EDIT_NOT_FOUND",
    "FS_ABORTED",
    "INVALID_ARGUMENTS",
    "ESCALATION_REFUSED",
    "UNKNOWN_SESSION",
    "SANDBOX_UNAVAILABLE",
    "COMPONENT_TRAPPED",
];

/// The first code that a text names.
#[must_use]
pub fn named_in(text: &str) -> Option<&'static str> {
    ALL.into_iter()
        .filter_map(|code| Some((text.find(code)?, code)))
        .min_by_key(|(at, _)| *at)
        .map(|(_, code)| code)
}

/// A code of a file operation as WIT spells it: `stale-version` for `FS_STALE_VERSION`.
#[must_use]
pub fn in_wit(code: &str) -> String {
    let bare = code.strip_prefix("FS_").unwrap_or(code);
    bare.to_ascii_lowercase().replace('_', "-")
}

/// The protocol string of a code as WIT spells it.
#[must_use]
pub fn protocol(case: &str) -> String {
    format!("FS_{}", case.to_ascii_uppercase().replace('-', "_"))
}
