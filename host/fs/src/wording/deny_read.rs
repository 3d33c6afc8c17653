//! Sentences about places whose content nobody reads.

use super::{Verb, cannot, denied, detailed};
use crate::error::{Code, Error};
use crate::types::Mode;

/// Why a pattern cannot be a rule at all; nothing where only its syntax is in question.
pub(crate) fn unusable(pattern: &str) -> Option<String> {
    let names = || pattern.split(['/', ',', '{', '}']);
    let inner = pattern.trim_start_matches('/').trim_end_matches('/');
    let reason = if pattern.trim().is_empty() {
        "the pattern is empty"
    } else if pattern.contains('\0') {
        "a NUL cannot be part of a name"
    } else if pattern.starts_with('~') || pattern.starts_with('$') {
        "neither ~ nor variables are expanded; write an absolute path, or [~] or [$] for a \
         name that begins so"
    } else if pattern.starts_with('!') {
        "a rule cannot take another one back; write [!] for a name that begins so"
    } else if names().any(|name| name == "." || name == "..") {
        "\".\" and \"..\" are no names of a canonical path, so the pattern would match nothing"
    } else if inner.contains("//") || pattern.starts_with("//") {
        "an empty name would match nothing"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// The syntax of a pattern is wrong.
pub(crate) fn syntax(error: &globset::Error) -> String {
    format!("the pattern is no glob: {}", error.kind())
}

/// The deployment keeps content from being read. The detail is what a model is told.
pub(crate) fn reading_denied(verb: Verb, display: &str) -> Error {
    let reason = "the deployment denies reading it, in every mode";
    detailed(cannot(Code::SandboxDenied, verb, display, reason), reason)
}

/// A mutation would disclose, or stand in for, content that nobody may read.
pub(crate) fn change_of_unreadable(display: &str, mode: Mode) -> Error {
    detailed(
        denied(display, mode),
        "the deployment denies reading it and changing it, in every mode: no wider mode helps",
    )
}
