//! Every sentence of this provider, and the code that goes with it.

use dsh_fs_text::name::shown;
use dsh_fs_text::utf8::NotText;
use wasip2::filesystem::types::ErrorCode as System;

use crate::bindings::dsh::fs::types::{Error, ErrorCode, SandboxMode};

/// A sentence about no file.
pub(crate) fn plain(code: ErrorCode, message: impl Into<String>) -> Error {
    Error {
        code,
        message: message.into(),
        path: None,
        detail: None,
    }
}

/// `cannot <verb> "<path>": <reason>`
pub(crate) fn cannot(code: ErrorCode, verb: &str, display: &str, reason: &str) -> Error {
    let path = shown(display);
    Error {
        code,
        message: format!("cannot {verb} \"{path}\": {reason}"),
        path: Some(path),
        detail: None,
    }
}

/// The same, with more than the ordinary reason of its code.
pub(crate) fn detailed(error: Error, detail: impl Into<String>) -> Error {
    Error {
        detail: Some(detail.into()),
        ..error
    }
}

pub(crate) fn not_found(verb: &str, display: &str) -> Error {
    cannot(ErrorCode::NotFound, verb, display, "not found")
}

pub(crate) fn not_regular(verb: &str, display: &str) -> Error {
    cannot(
        ErrorCode::NotRegularFile,
        verb,
        display,
        "not a regular file",
    )
}

pub(crate) fn not_text(verb: &str, display: &str, why: NotText) -> Error {
    cannot(ErrorCode::NotText, verb, display, why.reason())
}

pub(crate) fn too_large(verb: &str, display: &str, limit: u64) -> Error {
    let reason = format!("content exceeds the {limit}-byte limit");
    cannot(ErrorCode::TooLarge, verb, display, &reason)
}

/// No folder of the program contains the path, or a link on it leads out of them.
pub(crate) fn outside(display: &str) -> Error {
    let reason = "the path leads out of the folders that were given to this program";
    cannot(ErrorCode::SandboxDenied, "resolve", display, reason)
}

/// The policy forbids it. The verb is `write` for every mutation.
pub(crate) fn denied(display: &str, mode: SandboxMode) -> Error {
    let mode = mode_name(mode);
    let reason = format!("file access denied under {mode} mode");
    cannot(ErrorCode::SandboxDenied, "write", display, &reason)
}

pub(crate) fn stale(verb: &str, display: &str) -> Error {
    let reason = "file changed since it was read";
    cannot(ErrorCode::StaleVersion, verb, display, reason)
}

pub(crate) fn gone(verb: &str, display: &str) -> Error {
    cannot(
        ErrorCode::StaleVersion,
        verb,
        display,
        "file no longer exists",
    )
}

/// A link was put on the way since the target was resolved.
pub(crate) fn leads_elsewhere(verb: &str, display: &str) -> Error {
    let detail = "the path leads elsewhere now than when it was resolved";
    detailed(stale(verb, display), detail)
}

/// Something is there that was never seen.
pub(crate) fn exists(display: &str) -> Error {
    let path = shown(display);
    Error {
        code: ErrorCode::NotObserved,
        message: format!("cannot overwrite existing \"{path}\" without reading it first"),
        path: Some(path),
        detail: None,
    }
}

/// The failure for an error of the runtime.
pub(crate) fn from_system(verb: &str, display: &str, error: System) -> Error {
    match error {
        System::NoEntry | System::NotDirectory => not_found(verb, display),
        System::Loop => leads_elsewhere(verb, display),
        System::NameTooLong => {
            let reason = "a name in the path is longer than the file system allows";
            cannot(ErrorCode::NotFound, verb, display, reason)
        }
        System::Access | System::NotPermitted | System::ReadOnly => {
            let reason = format!("permission denied ({})", error.name());
            cannot(ErrorCode::PermissionDenied, verb, display, &reason)
        }
        _ => {
            let reason = format!("the runtime reported {}", error.name());
            cannot(ErrorCode::IoError, verb, display, &reason)
        }
    }
}

/// A mode as it is spelled everywhere.
pub(crate) fn mode_name(mode: SandboxMode) -> &'static str {
    match mode {
        SandboxMode::ReadOnly => "read-only",
        SandboxMode::WorkspaceWrite => "workspace-write",
        SandboxMode::DangerFullAccess => "danger-full-access",
    }
}
