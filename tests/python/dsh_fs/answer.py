"""The values of an answer, as programs read them."""

from __future__ import annotations

from typing import Any

from .values import DirEntry, Mutation, Target, TextWindow
from .wit import lift


def value(answer: Any) -> dict[str, Any]:
    """The answer of a tool as JSON values."""
    if hasattr(answer, "window"):
        return _read(lift(Target, answer.target), lift(TextWindow, answer.window))
    if hasattr(answer, "mutation"):
        return _change(lift(Mutation, answer.mutation))
    return _list(answer)


def _read(target: Target, window: TextWindow) -> dict[str, Any]:
    lines = window.text.split("\n")[:-1]
    return {
        "path": target.display_path,
        "key": target.key,
        "offset": window.first_line,
        "lines": [{"number": number, "text": text} for number, text in enumerate(lines, window.first_line)],
        "totalLines": window.total_lines,
        "version": window.version,
        "lineEndings": window.line_endings,
        "finalNewline": window.final_newline,
        "byteOrderMark": window.byte_order_mark,
        "capped": window.capped,
        "cutLines": [{"line": cut.line, "nextColumn": cut.next_column} for cut in window.cut_lines],
    }


def _change(mutation: Mutation) -> dict[str, Any]:
    path = mutation.target.display_path
    texts = {"before": mutation.before, "after": mutation.after}
    return {
        "operation": mutation.operation,
        "version": mutation.version,
        "previousVersion": mutation.previous,
        "replacements": mutation.replacements,
        "grade": mutation.grade,
        "gradeReason": mutation.grade_reason,
        "diffs": [
            {
                "path": path,
                "oldStart": hunk.old_start,
                "newStart": hunk.new_start,
                "oldText": hunk.old_text,
                "newText": hunk.new_text,
            }
            for hunk in mutation.hunks
        ],
        "diffsCut": mutation.hunks_cut,
        "key": mutation.target.key,
        "path": path,
        **{name: text for name, text in texts.items() if text is not None},
    }


def _list(answer: Any) -> dict[str, Any]:
    target = lift(Target, answer.target)
    return {
        "path": target.display_path,
        "key": target.key,
        "offset": getattr(answer, "first-entry"),
        "entries": [_entry(lift(DirEntry, entry)) for entry in answer.entries],
        "totalEntries": getattr(answer, "total-entries"),
    }


def _entry(entry: DirEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "type": entry.kind,
        "isLink": entry.is_link,
        "size": entry.size,
        "path": entry.target.display_path,
        "key": entry.target.key,
        "trouble": entry.trouble,
    }
