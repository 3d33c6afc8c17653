"""The changed regions of two texts, with lines of context around each."""

from __future__ import annotations

from difflib import SequenceMatcher

from ..values import Hunk

CONTEXT = 3
MOST_HUNKS = 50

#: Texts with more lines than this beyond what they share at both ends are not compared.
MOST_LINES = 4_000


def hunks(before: str | None, after: str) -> tuple[list[Hunk], bool]:
    """The regions, and whether some were left out. A new file has none."""
    if before is None or before == after:
        return [], False
    old, new = _lines(before), _lines(after)
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    if max(len(old), len(new)) - start - end > MOST_LINES:
        return [], True
    skipped = max(0, start - CONTEXT)
    kept = max(0, end - CONTEXT)
    old, new = old[skipped : len(old) - kept], new[skipped : len(new) - kept]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    found = [
        Hunk(
            old_start=group[0][1] + skipped + 1,
            new_start=group[0][3] + skipped + 1,
            old_text=_joined(old[group[0][1] : group[-1][2]]),
            new_text=_joined(new[group[0][3] : group[-1][4]]),
        )
        for group in matcher.get_grouped_opcodes(CONTEXT)
    ]
    return found[:MOST_HUNKS], len(found) > MOST_HUNKS


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _shared(one: list[str], other: list[str]) -> int:
    count = 0
    for left, right in zip(one, other):
        if left != right:
            break
        count += 1
    return count
