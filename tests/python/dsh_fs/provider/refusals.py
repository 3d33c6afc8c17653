"""The sentences for guards that do not hold, and for edits that cannot be made."""

from __future__ import annotations

from ..values import EditRefusal, Target
from .failure import Failure, cannot, failure
from .names import shown


def stale(verb: str, target: Target) -> Failure:
    """The content is not the one that was seen."""
    return cannot("stale-version", verb, target.display_path, "file changed since it was read")


def no_longer_there(verb: str, target: Target) -> Failure:
    """What was seen is gone."""
    return cannot("stale-version", verb, target.display_path, "file no longer exists")


def refused_edit(target: Target, refusal: EditRefusal) -> Failure:
    """The failure for an edit that the rules for text refuse."""
    path = shown(target.display_path)
    match refusal.tag:
        case "empty":
            return failure("edit-not-found", "old_string must be a non-empty string", path)
        case "same":
            return failure("edit-not-found", f'old_string and new_string leave "{path}" as it is', path)
        case "not-found":
            sentence: str | None = refusal.payload
            return failure("edit-not-found", f'old_string was not found in "{path}"', path, sentence)
    ambiguity = refusal.payload
    if ambiguity is None:
        raise ValueError(f"an edit was refused as {refusal.tag}")
    message = (
        f'old_string matched {ambiguity.count} times in "{path}"; provide a more specific '
        "old_string or set replace_all to true"
    )
    lines = ", ".join(str(line) for line in ambiguity.lines)
    return failure("ambiguous-edit", message, path, f"it begins at lines {lines}")
