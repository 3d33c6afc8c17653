//! Sentences about mutations that were refused.

use super::{Verb, cannot, denied, detailed};
use crate::error::{Code, Error};
use crate::name;
use crate::types::Mode;

/// The file is not the one that was seen.
pub(crate) fn stale(verb: Verb, display: &str) -> Error {
    let reason = "file changed since it was read";
    cannot(Code::StaleVersion, verb, display, reason)
}

/// The file that was seen is gone.
pub(crate) fn gone(verb: Verb, display: &str) -> Error {
    cannot(Code::StaleVersion, verb, display, "file no longer exists")
}

/// Something is there that was never seen.
pub(crate) fn exists(display: &str) -> Error {
    let shown = name::shown(display);
    Error {
        code: Code::NotObserved,
        message: format!("cannot overwrite existing \"{shown}\" without reading it first"),
        path: Some(shown),
        detail: None,
    }
}

/// A guarded handle was asked for an unconditional mutation.
pub(crate) fn guard_required(verb: Verb, display: &str) -> Error {
    let reason = "these files are open for guarded mutations only, and no guard was given";
    cannot(Code::NotObserved, verb, display, reason)
}

/// The old text does not occur.
pub(crate) fn edit_not_found(display: &str) -> Error {
    let shown = name::shown(display);
    Error {
        code: Code::EditNotFound,
        message: format!("old_string was not found in \"{shown}\""),
        path: Some(shown),
        detail: None,
    }
}

/// The old text is empty.
pub(crate) fn empty_old_text(display: &str) -> Error {
    Error {
        code: Code::EditNotFound,
        message: "old_string must be a non-empty string".to_owned(),
        path: Some(name::shown(display)),
        detail: None,
    }
}

/// The old text occurs more than once.
pub(crate) fn ambiguous_edit(display: &str, count: usize) -> Error {
    let shown = name::shown(display);
    Error {
        code: Code::AmbiguousEdit,
        message: format!(
            "old_string matched {count} times in \"{shown}\"; provide a more specific \
             old_string or set replace_all to true"
        ),
        path: Some(shown),
        detail: None,
    }
}

/// The workspace root is another directory now.
pub(crate) fn workspace_moved(display: &str, mode: Mode) -> Error {
    detailed(
        denied(display, mode),
        "the workspace root is no longer the directory that this session started with",
    )
}

/// Another writable root is another directory now.
pub(crate) fn root_moved(display: &str, mode: Mode, root: &str) -> Error {
    let root = name::shown(root);
    let detail = format!("the writable root \"{root}\" is no longer the directory that it was");
    detailed(denied(display, mode), detail)
}

/// The target lies in a sub-path that the embedder keeps read-only.
pub(crate) fn protected(display: &str, mode: Mode, sub_path: &str) -> Error {
    let sub_path = name::shown(sub_path);
    detailed(
        denied(display, mode),
        format!("\"{sub_path}\" is kept read-only"),
    )
}

/// The target lies outside the directories that the session is held to.
pub(crate) fn out_of_bounds(display: &str, mode: Mode) -> Error {
    detailed(denied(display, mode), OUT_OF_BOUNDS)
}

/// What is said of a target outside the directories that the session is held to.
pub(crate) const OUT_OF_BOUNDS: &str = "the path lies outside the directories that the client \
    has named as its roots; nothing is changed there, whatever the mode and whoever approves it";

/// The path goes through a link of /proc that is no real link.
pub(crate) fn magic_link(display: &str, mode: Mode) -> Error {
    detailed(
        denied(display, mode),
        "the path leads through /proc, where links can lead anywhere",
    )
}

/// An edit holds the whole file, and this one is too large for that. Both in bytes.
pub(crate) fn too_large_to_edit(display: &str, size: u64, limit: u64) -> Error {
    let reason = format!("{size} bytes exceeds the {limit}-byte limit of an edit");
    cannot(Code::TooLarge, Verb::Edit, display, &reason)
}

/// An edit of many places would leave a file that is larger than any that is edited. Both
/// in bytes.
pub(crate) fn too_large_once_edited(display: &str, size: u64, limit: u64) -> Error {
    let reason = format!("it would leave {size} bytes, over the {limit}-byte limit of an edit");
    cannot(Code::TooLarge, Verb::Edit, display, &reason)
}

/// The one mutation was approved for another target.
pub(crate) fn not_the_approved_target(display: &str, mode: Mode) -> Error {
    detailed(
        denied(display, mode),
        "the approval was given for another target",
    )
}

/// The one mutation has been made.
pub(crate) fn approval_used(display: &str, mode: Mode) -> Error {
    detailed(
        denied(display, mode),
        "the approval covered one change, which has been made",
    )
}

/// The path leads to another place than when the target was resolved.
pub(crate) fn leads_elsewhere(verb: Verb, display: &str) -> Error {
    detailed(
        stale(verb, display),
        "the path leads elsewhere now than when it was resolved",
    )
}
