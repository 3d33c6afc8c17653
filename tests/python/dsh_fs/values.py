"""The values of the WIT package as data classes.

Fields have underscores where WIT has hyphens; enums are strings as WIT spells them. A
variant is a `Variant` with a tag and a payload.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Optional

from wasmtime.component import Variant

from .wit import Value

SandboxMode = Literal["read-only", "workspace-write", "danger-full-access"]

#: The version that an edit demands; None demands nothing.
EditGuard = Optional[str]


class Prior(Variant):
    """`unseen`, `absent`, or `present` with a version."""


class WriteGuard(Variant):
    """`create-if-absent`, `replace-if-version` with a version, or `unconditional`."""


class EditRefusal(Variant):
    """`empty`, `same`, `not-found` with a sentence or None, `ambiguous` with an `Ambiguity`."""


@dataclass(frozen=True)
class Target(Value):
    """A file as the provider knows it, and as a person may read it."""

    key: str
    display_path: str


@dataclass(frozen=True)
class Error(Value):
    """A failed file operation: one of the thirteen codes, and one sentence."""

    code: str
    message: str
    path: str | None = None
    detail: str | None = None


@dataclass(frozen=True)
class Seed(Value):
    """128 random bits of the host."""

    low: int
    high: int


@dataclass(frozen=True)
class ModeEvent(Value):
    """The mode of a session from here on, and who said so."""

    mode: SandboxMode
    source: Literal["user", "delegation"]


@dataclass(frozen=True)
class ExecutionPolicy(Value):
    """The policy of one call, resolved."""

    mode: SandboxMode
    workspace_root: str
    session_id: str | None


@dataclass(frozen=True)
class PolicyInputs(Value):
    """Everything that bears on the policy of one call."""

    approved: SandboxMode | None
    session_mode: SandboxMode | None
    default_mode: SandboxMode
    session_cwd: str | None
    configured_root: str
    session_id: str | None


@dataclass(frozen=True)
class Circumstances(Value):
    """What an escalation needs besides a wider mode."""

    effective: SandboxMode
    confined: bool
    approver: bool
    owner: bool


@dataclass(frozen=True)
class Edit(Value):
    """A literal replacement."""

    old_text: str
    new_text: str
    replace_all: bool


@dataclass(frozen=True)
class Edited(Value):
    """A content after an edit."""

    content: str
    replacements: int


@dataclass(frozen=True)
class Ambiguity(Value):
    """How often an old text occurs, and the lines at which the first ten begin."""

    count: int
    lines: list[int]


@dataclass(frozen=True)
class ReadWindow(Value):
    """The part of a text file that is wanted; lines and columns count from 1."""

    first_line: int
    first_column: int
    max_lines: int
    max_bytes: int
    max_line_chars: int


@dataclass(frozen=True)
class CutLine(Value):
    """A line that is longer than what was returned of it."""

    line: int
    next_column: int


@dataclass(frozen=True)
class TextWindow(Value):
    """A part of a text file, with the version of the whole."""

    version: str
    text: str
    first_line: int
    line_count: int
    total_lines: int
    capped: bool
    cut_lines: list[CutLine]
    line_endings: Literal["none", "lf", "crlf", "mixed"]
    final_newline: bool
    byte_order_mark: bool


@dataclass(frozen=True)
class DirEntry(Value):
    """One direct child of a directory."""

    name: str
    kind: Literal["file", "directory", "symlink", "other"]
    is_link: bool
    size: int | None
    target: Target
    trouble: str | None


@dataclass(frozen=True)
class Hunk(Value):
    """One changed region, with lines of context around it; lines count from 1."""

    old_start: int
    new_start: int
    old_text: str
    new_text: str


@dataclass(frozen=True)
class Mutation(Value):
    """What a mutation did."""

    operation: Literal["create", "update"]
    target: Target
    version: str
    previous: str | None
    replacements: int | None
    grade: Literal["atomic", "lease-checked", "best-effort"]
    grade_reason: str | None
    hunks: list[Hunk]
    hunks_cut: bool
    before: str | None
    after: str | None
