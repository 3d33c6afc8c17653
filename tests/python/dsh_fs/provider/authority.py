"""What one session may do: its ceiling, and the permissions that a person gave.

It lives with the embedder; the component can only ask.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any, Callable, Literal

from wasmtime.component import Variant

from ..values import ExecutionPolicy, SandboxMode
from .failure import Failure, failure
from .files import Files, Ground
from .names import shown
from .resolve import resolve

ORDER = ("read-only", "workspace-write", "danger-full-access")

Decision = Literal["allowed-once", "rejected", "cancelled", "unavailable"]


@dataclass(frozen=True)
class Asked:
    """What a person is asked."""

    tool: str
    path: str
    mode: SandboxMode
    justification: str
    session: str | None


Person = Callable[[Asked], Decision]


class Authority:
    """The ceiling of a session, and its permissions until the end of a call."""

    def __init__(
        self, ground: Ground, root: str, ceiling: SandboxMode, session: str | None, person: Person | None
    ) -> None:
        self.ceiling = ceiling
        #: The tool that is running, as the embedder called it.
        self.running = ""
        self._ground = ground
        self._root = root
        self._session = session
        self._person = person
        self._grants: dict[str, tuple[str, str, SandboxMode]] = {}

    def open(self, policy: ExecutionPolicy, grant: str | None) -> Files:
        """`dsh:fs/filesystem.open`"""
        if policy.workspace_root != self._root:
            raise self._too_wide(policy.mode)
        bound = replace(policy, workspace_root=self._root)
        if grant is not None:
            return Files(self._ground, bound, self._redeem(grant, policy.mode))
        if ORDER.index(policy.mode) > ORDER.index(self.ceiling):
            raise self._too_wide(policy.mode)
        return Files(self._ground, bound, None)

    def ask(self, question: Any) -> Variant:
        """`dsh:fs/approval.ask`"""
        if self._person is None or question.tool != self.running or not _askable(question.key):
            return Variant("unavailable")
        asked = Asked(
            tool=question.tool,
            path=shown(question.key),
            mode=question.mode,
            justification=shown(question.justification),
            session=self._session,
        )
        decision = self._person(asked)
        if decision != "allowed-once":
            return Variant(decision)
        token = secrets.token_urlsafe(16)
        self._grants[token] = (question.tool, question.key, question.mode)
        return Variant(decision, token)

    def end_call(self) -> None:
        """What was allowed once is not left lying about."""
        self._grants.clear()

    def _redeem(self, token: str, mode: SandboxMode) -> str:
        """Uses a permission up; answers the one target that it is good for."""
        tool, key, granted = self._grants.pop(token, ("", "", "read-only"))
        if tool != self.running or not tool or granted != mode:
            raise failure("sandbox-denied", "the permission is not good for this")
        return key

    def _too_wide(self, mode: SandboxMode) -> Failure:
        return failure("sandbox-denied", f"this session may not open files under {mode} mode")


def _askable(key: str) -> bool:
    """Whether a key is canonical, and leads not through links that can lead anywhere."""
    try:
        return not key.startswith("/proc/") and resolve(key, "/").key == key
    except Failure:
        return False
